import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textArray } from './text-array.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await freshDatabase('register');
});
afterAll(async () => {
  await database.drop();
});

async function stored(texts: readonly string[]): Promise<readonly string[]> {
  const { rows } = await database.pool.query<{ texts: string[] }>('SELECT $1::text[] AS texts', [textArray(texts)]);
  return rows[0]?.texts ?? [];
}

describe('textArray', () => {
  it.each([
    ['no text', []],
    ['an empty text', ['']],
    ['quotes, backslashes, braces, commas and NULL', ['"a\\"b\\\\', '{x,y}', 'NULL', "it's\n\t"]],
    ['letters of two to four bytes', ['їжак', '€', '😀', 'a'.repeat(70_000)]],
  ])('carries %s', async (_what, texts) => {
    expect(await stored(texts)).toEqual(texts);
  });

  it('replaces halves of surrogate pairs, and is refused with NUL, as texts of pg are', async () => {
    expect(await stored(['a\ud800b'])).toEqual(['a\ufffdb']);
    await expect(stored(['a\0b'])).rejects.toMatchObject({ code: '22021' });
  });
});
