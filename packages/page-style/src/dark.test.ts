import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const CSS = `${import.meta.dirname}/../css`;
const DARK =
  /@media screen and \(prefers-color-scheme: dark\) \{\n {2}:root \{\n((?: {4}--[\w-]+: #[0-9a-f]{6};\n)+) {2}\}\n\}/g;

// Such a sheet is for all widths below 600 px, as 320 and 390.
const NARROW = '@media (max-width: 37.4375rem)';
const sheets = readdirSync(CSS).map((name) => readFileSync(`${CSS}/${name}`, 'utf8'));

// Tests of pages look for other barriers in the light only, and for those of colours at 320 and 1,280 px only (test/support/axe.ts).
it('in the dark only the values of colours are others', () => {
  expect(sheets.flatMap((sheet) => sheet.match(DARK) ?? [])).toHaveLength(1);
  expect(sheets.filter((sheet) => sheet.replaceAll(DARK, '').includes('prefers-color-scheme'))).toEqual([]);
});

it('a page has the colours of a narrow page or of a wide one', () => {
  const queries = sheets.flatMap((sheet) => sheet.match(/^@media [^{]*width.*?^\}/gms) ?? []);
  expect(queries.length).toBeGreaterThan(10);
  const isColoured = (query: string): boolean =>
    /^\s+([\w-]*color|background|fill|stroke|opacity|filter):/m.test(query);
  expect(queries.filter((query) => isColoured(query) && !query.startsWith(NARROW))).toEqual([]);
});
