import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const CSS = `${import.meta.dirname}/../css`;
const DARK =
  /@media screen and \(prefers-color-scheme: dark\) \{\n {2}:root \{\n((?: {4}--[\w-]+: #[0-9a-f]{6};\n)+) {2}\}\n\}/g;

// Tests of pages look for other barriers in the light only (test/support/axe.ts).
it('in the dark only the values of colours are others', () => {
  const sheets = readdirSync(CSS).map((name) => readFileSync(`${CSS}/${name}`, 'utf8'));
  expect(sheets.flatMap((sheet) => sheet.match(DARK) ?? [])).toHaveLength(1);
  expect(sheets.filter((sheet) => sheet.replaceAll(DARK, '').includes('prefers-color-scheme'))).toEqual([]);
});
