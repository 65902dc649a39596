import { ICONS, type IconName } from './icons.ts';

/** Markup that is safe to send: made by `html` or of a text that the program itself has. */
export class Html {
  readonly markup: string;
  constructor(markup: string) {
    this.markup = markup;
  }
}

/** What may stand in a template: texts are escaped, lists are joined, `undefined` and `false` are nothing. */
export type Shown = Html | string | number | undefined | false | readonly Shown[];

/** The template of all pages that are not the portal's. Every value is escaped unless it is `Html` itself. */
export function html(parts: TemplateStringsArray, ...values: readonly Shown[]): Html {
  return new Html(parts.map((part, n) => part + (n < values.length ? toMarkup(values[n]) : '')).join(''));
}

function toMarkup(value: Shown): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Html) return value.markup;
  return typeof value === 'object' ? value.map(toMarkup).join('') : escapeHtml(String(value));
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text for elements and attributes in quotes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

/** An icon as markup; the word beside it says the same. */
export function icon(name: IconName): Html {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${ICONS[name]}"/></svg>`;
}

/** A text whose parts between backticks are code. */
export function withCode(text: string): Html {
  return html`${text.split('`').map((part, n) => (n % 2 === 0 ? part : html`<code>${part}</code>`))}`;
}
