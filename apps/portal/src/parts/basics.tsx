import { ICONS, TONE_ICON, type IconName, type Tone } from '@procurement/page-style/icons';
import { timeLeft, type Language } from '@procurement/page-style/time-left';
import type { ComponentChildren, VNode } from 'preact';
import { safeLink } from '../domain/safe-link.ts';
import { formatDay, formatInstant, formatShort, isInstant } from '../format/instant.ts';
import type { Money } from '../domain/money.ts';
import { formatMoney } from '../format/money.ts';
import { visibleText } from '../format/visible-text.ts';
import { findWord, type WordList } from '../texts/words.ts';
import { pathIn, usePage } from './page-context.ts';

interface WithChildren {
  readonly children?: ComponentChildren;
}

/** A link to a path of this site, in the language of the page. */
export function OwnLink({
  to,
  children,
  ...rest
}: WithChildren & { readonly to: string; readonly class?: string }): VNode {
  const { lang } = usePage();
  return (
    <a href={pathIn(lang, to)} {...rest}>
      {children}
    </a>
  );
}

/** A link to an address that a tender names: text when it is none that may be followed. */
export function ForeignLink({ address, children }: WithChildren & { readonly address: string }): VNode {
  const { site } = usePage();
  const link = safeLink(address, site.fileHosts);
  if (link === undefined) return <Others text={address} />;
  return (
    <a href={link.href} rel="noopener noreferrer nofollow ugc">
      {children ?? <Others text={link.href} />}
    </a>
  );
}

/** A text that somebody else wrote. It keeps its lines, and its direction does not reach the text around it. */
export function Others({ text, lang }: { readonly text: string; readonly lang?: string | undefined }): VNode {
  return (
    <bdi class="as-written" lang={lang}>
      {visibleText(text)}
    </bdi>
  );
}

/** An object of the API with texts such as `title` and `title_en`. */
type Translated = Readonly<Record<string, unknown>> | object;

/** A text of an object in the language of the page where it has one; else the main one, marked as Ukrainian. */
export function textIn(
  object: Translated,
  name: string,
  lang: Language,
): { text: string; lang?: Language } | undefined {
  // Safe cast: members are read by name and judged by type.
  const members = object as Readonly<Record<string, unknown>>;
  const [main, english] = [members[name], members[`${name}_en`]];
  if (lang === 'en' && typeof english === 'string' && isWritten(english)) return { text: english };
  if (typeof main !== 'string' || main === '') return undefined;
  return lang === 'en' ? { text: main, lang: 'uk' } : { text: main };
}

/** The mark of a test tender alone is no translation. */
const isWritten = (text: string): boolean => text.replace('[TESTING]', '').trim() !== '';

/** `title` and the like of an object, in the language of the page. */
export function Written({ of, name }: { readonly of: Translated; readonly name: string }): VNode | null {
  const { lang } = usePage();
  const found = textIn(of, name, lang);
  return found === undefined ? null : <Others {...found} />;
}

/** The same as a paragraph of its own; nothing where there is no text. */
export function Paragraph(props: { readonly of: Translated; readonly name: string }): VNode | null {
  const { lang } = usePage();
  return textIn(props.of, props.name, lang) === undefined ? null : (
    <p>
      <Written {...props} />
    </p>
  );
}

export function Icon({ name }: { readonly name: IconName }): VNode {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={ICONS[name]} />
    </svg>
  );
}

/** A state in a word, with an icon and a colour that say the same. */
export function Tag({ tone = 'neutral', children }: WithChildren & { readonly tone?: Tone }): VNode {
  return (
    <span class={tone === 'neutral' ? 'tag' : `tag ${tone}`}>
      <Icon name={TONE_ICON[tone]} />
      {children}
    </span>
  );
}

/** The word for a code; the code itself where there is no word. */
export function Code({ list, code }: { readonly list: WordList; readonly code: string }): VNode {
  const { lang } = usePage();
  const word = findWord(list, code, lang);
  return word === undefined ? <code>{visibleText(code)}</code> : <>{word}</>;
}

export function Notice({ tone, children }: WithChildren & { readonly tone: Exclude<Tone, 'neutral'> }): VNode {
  return (
    <div class={`notice ${tone}`}>
      <Icon name={TONE_ICON[tone]} />
      <div>{children}</div>
    </div>
  );
}

/** An amount with its currency. `value` of a tender that cannot be read as money is shown as it is. */
export function Amount({ value, class: name = 'number' }: { readonly value: Money; readonly class?: string }): VNode {
  const { lang } = usePage();
  const isMoney = typeof value.amount === 'number' && typeof value.currency === 'string';
  return isMoney ? <span class={name}>{formatMoney(value, lang)}</span> : <code>{JSON.stringify(value)}</code>;
}

const FORMATS = { full: formatInstant, day: formatDay, short: formatShort } as const;

/** An instant as people read it, in the zone of the installation. */
export function When({ at, as = 'full' }: { readonly at: string; readonly as?: keyof typeof FORMATS }): VNode {
  const { lang } = usePage();
  if (!isInstant(at)) return <Others text={String(at)} />;
  return (
    <time dateTime={at} class="number">
      {FORMATS[as](at, lang)}
    </time>
  );
}

/** How long until an instant; the script counts it down. */
export function TimeLeft({ until }: { readonly until: string }): VNode {
  const { lang, nowMs } = usePage();
  return (
    <time dateTime={until} class="time-left" data-until role="timer" aria-live="off">
      {timeLeft(Date.parse(until) - nowMs, lang)}
    </time>
  );
}
