import { describe, expect, it } from 'vitest';
import { secureMint, seededMint, sha256Hex, type Mint } from './ids.ts';

function drawn(mint: Mint): readonly string[] {
  return [mint.id(), mint.token(), mint.id(), mint.token(), mint.id()];
}

describe.each([
  ['the secure mint', secureMint],
  ['a seeded mint', seededMint('5eed')],
])('%s', (_what, mint) => {
  it('gives ids and tokens of 32 hex digits, each of them once', () => {
    const many = Array.from({ length: 600 }, () => drawn(mint)).flat();
    expect(many.every((text) => /^[0-9a-f]{32}$/.test(text))).toBe(true);
    expect(new Set(many).size).toBe(many.length);
  });

  it('gives every event an id of its own', () => {
    expect(mint.uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(mint.uuid()).not.toBe(mint.uuid());
  });
});

describe('a seeded mint', () => {
  it('gives the same for the same seed, and nothing of it for another', () => {
    const one = drawn(seededMint('one'));
    expect(drawn(seededMint('one'))).toEqual(one);
    expect(drawn(seededMint('two')).filter((text) => one.includes(text))).toEqual([]);
  });

  it('counts ids and tokens apart, so that the order of asking for both does not matter', () => {
    const [ids, tokens] = [seededMint('one'), seededMint('one')];
    const [id, token] = [ids.id(), ids.token()];
    expect([tokens.token(), tokens.id()]).toEqual([token, id]);
  });

  it('has event ids that no repeat shares', () => {
    expect(seededMint('one').uuid()).not.toBe(seededMint('one').uuid());
  });
});

describe('sha256Hex', () => {
  it('is SHA-256 in hex', () => {
    expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
