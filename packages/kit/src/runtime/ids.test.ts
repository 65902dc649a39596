import { describe, expect, it } from 'vitest';
import { secureIds, seededIds, sha256Hex, type IdGenerator } from './ids.ts';

function drawIds(ids: IdGenerator): readonly string[] {
  return [ids.next(), ids.nextToken(), ids.next(), ids.nextToken(), ids.next()];
}

describe.each([
  ['the secure mint', secureIds],
  ['a seeded mint', seededIds('5eed')],
])('%s', (_what, mint) => {
  it('gives ids and tokens of 32 hex digits, each of them once', () => {
    const many = Array.from({ length: 600 }, () => drawIds(mint)).flat();
    expect(many.every((text) => /^[0-9a-f]{32}$/.test(text))).toBe(true);
    expect(new Set(many).size).toBe(many.length);
  });

  it('gives every event an id of its own', () => {
    expect(mint.nextUuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(mint.nextUuid()).not.toBe(mint.nextUuid());
  });
});

describe('a seeded mint', () => {
  it('gives the same for the same seed, and nothing of it for another', () => {
    const one = drawIds(seededIds('one'));
    expect(drawIds(seededIds('one'))).toEqual(one);
    expect(drawIds(seededIds('two')).filter((text) => one.includes(text))).toEqual([]);
  });

  it('counts ids and tokens apart, so that the order of asking for both does not matter', () => {
    const [ids, tokens] = [seededIds('one'), seededIds('one')];
    const [id, token] = [ids.next(), ids.nextToken()];
    expect([tokens.nextToken(), tokens.next()]).toEqual([token, id]);
  });

  it('has event ids that no repeat shares', () => {
    expect(seededIds('one').nextUuid()).not.toBe(seededIds('one').nextUuid());
  });
});

describe('sha256Hex', () => {
  it('is SHA-256 in hex', () => {
    expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
