import { portalSheet } from '@procurement/page-style/gen/assets';
import { html, Html } from '@procurement/page-style/html';
import { OWN_SHEET, specimens } from './specimens.ts';

const DARK = /@media\s*(?:screen and )?\(prefers-color-scheme:\s*dark\)\{:root\{([^}]*)\}\}/;

/** The sheet with the dark colours as those of a class, so that one page shows both schemes. */
export function sheetOfBoth(sheet: string): string {
  const [media = '', dark = ''] = DARK.exec(sheet) ?? [];
  if (dark === '') throw new Error('the sheet has no dark colours');
  return `${sheet.replace(media, '')}\n:root{color-scheme:light}\n.dark{color-scheme:dark;${dark}}`;
}

/** A page with all parts of the common sheets in both schemes (portal.md 2.4). It needs no other file. */
export function styleGuide(): string {
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Style guide</title>
<style>${new Html(`${sheetOfBoth(portalSheet.body)}\n${OWN_SHEET}`)}</style></head>
<body>
${['light', 'dark'].map(
  (scheme) => html`<main class="scheme ${scheme}"><div class="container"><h1>Style guide: ${scheme}</h1>
${specimens(scheme).map(
  ({ title, parts }) => html`<section><h2>${title}</h2>
${Object.entries(parts).map(([name, part]) => html`<p class="part-name">${name}</p>${part}`)}</section>`,
)}</div></main>`,
)}
</body></html>
`.markup;
}
