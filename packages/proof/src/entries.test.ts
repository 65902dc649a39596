import { describe, expect, it } from 'vitest';
import { fixture } from '../test-support/fixtures.ts';
import { deriveBlind, deriveCommitment } from './commitments.ts';
import { writeMember, namesOfMember, parseEntry, writeEntry, type Hole } from './entries.ts';
import { sha256 } from './hash.ts';
import { leafHash } from './tree.ts';

interface Vectors {
  readonly entries: readonly { readonly kind: string; readonly text: string; readonly leafHash: string }[];
  readonly blind: Readonly<Record<'key' | 'blind' | 'text' | 'sha256' | 'commit', string>> & { readonly index: number };
  readonly refused: readonly { readonly what: string; readonly text: string }[];
}

const { entries, blind, refused } = fixture<Vectors>('entries.json');

describe('entries', () => {
  it.each(entries)('reads and writes a $kind', ({ kind, text, leafHash: hash }) => {
    const entry = parseEntry(text);
    expect(entry?.kind).toBe(kind);
    expect(entry && writeEntry(entry)).toBe(text);
    expect(parseEntry(Buffer.from(text))).toEqual(entry);
    expect(leafHash(text).toString('hex')).toBe(hash);
  });

  it('reads numbers as such', () => {
    expect(parseEntry(entries.find(({ kind }) => kind === 'restore')?.text ?? '')).toEqual({
      kind: 'restore',
      epoch: 2n,
      to: 1778594400400000n,
      began: 1778603530000000n,
    });
  });

  it.each(refused)('refuses: $what', ({ text }) => {
    expect(parseEntry(text)).toBeUndefined();
  });

  it('refuses bytes that are no UTF-8, and a byte order mark', () => {
    const bytes = Buffer.from(entries[0]?.text ?? '');
    expect(parseEntry(Buffer.concat([bytes.subarray(0, -1), Buffer.from([0xff, 0x0a])]))).toBeUndefined();
    expect(parseEntry(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]))).toBeUndefined();
  });

  it('does not write what nobody would read', () => {
    const hole: Hole = { kind: 'hole', after: 1n, before: -1n };
    expect(() => writeEntry(hole)).toThrow(RangeError);
  });
});

describe('members', () => {
  it.each([
    [
      '/questions/0/author/contactPoint',
      '/questions/0/author/contactPoint',
      ['questions', '0', 'author', 'contactPoint'],
    ],
    ['/a~1b/а/~0 %', '/a~1b/%D0%B0/~0%20%25', ['a/b', 'а', '~ %']],
  ])('writes and reads %s', (pointer, member, names) => {
    expect(writeMember(pointer)).toBe(member);
    expect(namesOfMember(member)).toEqual(names);
  });

  it('refuses escapes that are no UTF-8', () => {
    expect(namesOfMember('/%FF')).toBeUndefined();
  });
});

describe('commitments', () => {
  it('blinds the hash of a text', () => {
    const made = deriveBlind(Buffer.from(blind.key, 'hex'), blind.index);
    expect(made.toString('hex')).toBe(blind.blind);
    expect(sha256(blind.text).toString('hex')).toBe(blind.sha256);
    expect(deriveCommitment(made, sha256(blind.text))).toBe(blind.commit);
  });
});
