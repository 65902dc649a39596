// Parts of several pages. `html` escapes every value.
import { html, icon } from './gen/markup.js';
import { text } from './texts.js';

const TONE_ICONS = { good: 'tick', warn: 'warn', bad: 'cross', info: 'info' };
/** The tender service writes it into the titles of test tenders, also into those that are empty. */
const TEST_MARKER = '[TESTING]';

/** A sentence with an icon: colour does not stand alone. */
export function notice(tone, content, testid) {
  const attribute = testid !== undefined && html` data-testid="${testid}"`;
  return html`<div class="notice ${tone}"${attribute}>${icon(TONE_ICONS[tone])}<div>${content}</div></div>`;
}

/** A state in a word, with an icon. */
export function tag(tone, word, sign = TONE_ICONS[tone] ?? 'dot') {
  return html`<span class="tag ${tone}">${icon(sign)}${word}</span>`;
}

/** The text of a tender in the language of the page; `lang` of the main text, where it has no other. */
function translated(object, name, lang) {
  const english = object?.[`${name}_en`] ?? '';
  if (lang === 'en' && english.replace(TEST_MARKER, '').trim() !== '') return { shown: english };
  return { shown: object?.[name] ?? '', ...(lang === 'en' ? { of: 'uk' } : {}) };
}

/** The same as markup; nothing when there is none. */
export function translation(object, name, lang) {
  const { shown, of } = translated(object, name, lang);
  return shown !== '' && html`<bdi${of !== undefined && html` lang="${of}"`}>${shown}</bdi>`;
}

/** The same for the title of the document, which has no markup. */
export function translatedText(object, name, lang) {
  return translated(object, name, lang).shown;
}

/** A table whose region scrolls where the columns do not fit. The heading with the id `labelledBy` names both. */
export function scrollingTable({ labelledBy, head, rows }) {
  return html`<div class="scroll" id="${labelledBy}-table" role="region" tabindex="0" aria-labelledby="${labelledBy}"><table class="data-table" aria-labelledby="${labelledBy}"><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** A head of a column; `isNumber` for those of figures. */
export function columnHead(word, isNumber = false) {
  return html`<th scope="col"${isNumber && html` class="number"`}>${word}</th>`;
}

/** The address of the page of a tender at the portal; undefined without one. */
export function tenderAddress({ portal, lang }, number) {
  return portal === undefined
    ? undefined
    : `${portal}${lang === 'en' ? '/en' : ''}/tenders/${encodeURIComponent(number)}`;
}

/** What a bidder is told of an answer, by its code. */
export function answerNotice(lang, code, testid) {
  const isGood = code === 'offer.placed' || code === 'withdrawn';
  return notice(isGood ? 'good' : 'bad', text(lang, code), testid);
}
