import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as limits from '@procurement/contracts/limits';

const PAGE = readFileSync(join(import.meta.dirname, '../docs/spec/limits.md'), 'utf8');

/** The value of a row `| `name` | value | ...` of the page. */
function valueOnPage(name: string): number {
  const row = PAGE.split('\n').find((line) => line.startsWith(`| \`${name}\` |`));
  return Number(row?.split('|')[2]);
}

describe('docs/spec/limits.md', () => {
  it.each(Object.entries({ ...limits.TEXT_CHARACTERS_MAX, ...limits.LIST_ELEMENTS_MAX }))(
    'has the limit of %s',
    (name, value) => {
      expect(valueOnPage(name)).toBe(value);
    },
  );
});
