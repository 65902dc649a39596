import { readFileSync } from 'node:fs';
import { parseEntry } from '@procurement/proof/entries';
import { describe, expect, it } from 'vitest';
import { buildLeaf, leafOfEntry } from './draft.ts';

interface Vectors {
  readonly blind: { readonly key: string; readonly index: number; readonly sha256: string; readonly commit: string };
}

const path = '../../../../docs/spec/proof/entries.json';
// Safe cast: the vectors of the specification.
const { blind } = JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as Vectors;

describe('buildLeaf', () => {
  const state = { tender: 'a'.repeat(32), rev: 2, position: 5, sha256: blind.sha256, bytes: 9 };

  it('commits to the text by the index of the leaf (entries.json)', () => {
    const leaf = buildLeaf({ kind: 'publication', number: 1, ...state }, blind.index, Buffer.from(blind.key, 'hex'));
    expect(parseEntry(leaf.text)).toMatchObject({ commit: blind.commit });
    expect(leafOfEntry(parseEntry(leaf.text), leaf.index, leaf.text)).toEqual(leaf);
  });

  it('escapes the member of a redaction', () => {
    const { text } = buildLeaf({ kind: 'redaction', member: '/a b', ...state }, 0, Buffer.alloc(32));
    expect(text).toContain('\nmember /a%20b\n');
  });
});
