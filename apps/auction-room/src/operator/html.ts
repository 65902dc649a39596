import type { StaticText } from '@procurement/kit/http/static-texts';
import { framedPage } from '@procurement/page-style/frame';
import { pageScript, roomSheet } from '@procurement/page-style/gen/assets';
import { html, type Html, icon, type Shown } from '@procurement/page-style/html';
import { FAVICON, TONE_ICON, type Tone } from '@procurement/page-style/icons';
import type { FastifyReply } from 'fastify';
import { HTML } from '../http/page.ts';

/** Where the listener of operators serves what its pages load. */
export const OPERATOR_ASSETS_FOLDER = '/assets/';
const ICON_FILE: StaticText = { name: 'favicon.svg', type: 'image/svg+xml', body: FAVICON };
export const OPERATOR_ASSETS: readonly StaticText[] = [roomSheet, pageScript, ICON_FILE];

/** Pages of operators load the shared sheet and script, and send forms to themselves only. */
export const OPERATOR_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types page",
} as const;

const MENU = [
  { href: '/', text: 'Today' },
  { href: '/following', text: 'New auctions' },
];

interface OperatorPage {
  readonly title: string;
  /** Replaces the title in the heading, above `lead`. */
  readonly heading?: string;
  /** Text below the heading. */
  readonly lead?: Shown;
  /** Path of the page, which marks its link in the menu as current. */
  readonly path?: string;
  readonly body: Shown;
}

export function sendOperatorPage(
  reply: FastifyReply,
  { title, heading = title, lead, path, body }: OperatorPage,
): FastifyReply {
  const page = framedPage({
    lang: 'en',
    title,
    site: { href: '/', text: 'Auction room: operators' },
    menu: MENU.map((link) => ({ ...link, isCurrent: link.href === path })),
    sheets: [OPERATOR_ASSETS_FOLDER + roomSheet.name],
    script: OPERATOR_ASSETS_FOLDER + pageScript.name,
    favicon: OPERATOR_ASSETS_FOLDER + ICON_FILE.name,
    body: html`<main id="main"><div class="page-head"><h1>${heading}</h1>${lead !== undefined && html`<p>${lead}</p>`}</div>${body}</main>`,
    footer: [
      { href: '/health', text: 'Health' },
      { href: '/metrics', text: 'Metrics' },
    ],
  });
  return reply.headers(OPERATOR_HEADERS).type(HTML).send(page);
}

/** A state in a word, with an icon. */
export function tag(tone: Tone, word: string): Html {
  return html`<span class="tag ${tone}">${icon(TONE_ICON[tone])}${word}</span>`;
}

export function facts(entries: readonly (readonly [term: string, shown: Shown])[]): Html {
  return html`<dl class="facts">${entries.map(([term, shown]) => html`<div><dt>${term}</dt><dd>${shown}</dd></div>`)}</dl>`;
}

/** A table in a region that scrolls where the columns do not fit; on a telephone each row is a card. `id` is that of the region. */
export function table({
  id,
  caption,
  head,
  rows,
}: {
  readonly id: string;
  readonly caption: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly Shown[])[];
}): Html {
  const heads = head.map((name) => html`<th scope="col">${name}</th>`);
  const lines = rows.map(
    (row) => html`<tr>${row.map((cell, column) => html`<td data-name="${head[column]}">${cell}</td>`)}</tr>`,
  );
  return html`<div class="scroll rows" id="${id}" role="region" tabindex="0" aria-label="${caption}"><table class="data-table"><caption>${caption}</caption><thead><tr>${heads}</tr></thead><tbody>${lines}</tbody></table></div>`;
}

/** A date with an offset for people who compare it with logs: `2026-03-16 12:00:04`. */
export function dateAndTime(date: string): Html {
  return html`<time class="number" datetime="${date}">${date.slice(0, 19).replace('T', ' ')}</time>`;
}

export interface OperatorForm {
  readonly action: string;
  readonly title: string;
  /** What it does. */
  readonly effect: string;
  readonly button: string;
  readonly tone: 'danger' | 'primary' | '';
  /** Names and labels of fields that are typed. */
  readonly fields: Readonly<Record<string, string>>;
  /** Other fields. */
  readonly more?: Html;
}

/** A form of one action, as a card. */
export function actionForm({ action, title, effect, button, tone, fields, more }: OperatorForm): Html {
  const prefix = action.split('/').at(-1) ?? '';
  const typed = Object.entries(fields).map(
    ([name, label]) =>
      html`<div class="field"><label for="${prefix}-${name}">${label}</label><input id="${prefix}-${name}" name="${name}" required autocomplete="off"></div>`,
  );
  return html`<form class="card" method="post" action="${action}" aria-labelledby="${prefix}"><h3 id="${prefix}">${title}</h3><p>${effect}</p>${more}${typed}<p class="buttons"><button class="button ${tone}">${button}</button></p></form>`;
}
