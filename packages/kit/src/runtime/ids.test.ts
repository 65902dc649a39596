import { describe, expect, it } from 'vitest';
import { secureIds, seededIds, sha256Hex, type IdGenerator } from './ids.ts';

function drawIds(ids: IdGenerator): readonly string[] {
  return [ids.next(), ids.nextToken(), ids.next(), ids.nextToken(), ids.next()];
}

describe.each([
  ['secureIds', secureIds],
  ['seededIds', seededIds('5eed')],
])('%s', (_name, ids) => {
  it('gives distinct ids and tokens of 32 hex digits', () => {
    const many = Array.from({ length: 600 }, () => drawIds(ids)).flat();
    expect(many.every((text) => /^[0-9a-f]{32}$/.test(text))).toBe(true);
    expect(new Set(many).size).toBe(many.length);
  });

  it('gives distinct version 4 UUIDs', () => {
    expect(ids.nextUuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(ids.nextUuid()).not.toBe(ids.nextUuid());
  });
});

describe('seededIds', () => {
  it('gives the same ids for the same seed, and different ones for another seed', () => {
    const one = drawIds(seededIds('one'));
    expect(drawIds(seededIds('one'))).toEqual(one);
    expect(drawIds(seededIds('two')).filter((text) => one.includes(text))).toEqual([]);
  });

  it('counts ids and tokens separately, so that the order of the calls does not matter', () => {
    const [ids, tokens] = [seededIds('one'), seededIds('one')];
    const [id, token] = [ids.next(), ids.nextToken()];
    expect([tokens.nextToken(), tokens.next()]).toEqual([token, id]);
  });

  it('never repeats a UUID', () => {
    expect(seededIds('one').nextUuid()).not.toBe(seededIds('one').nextUuid());
  });
});

describe('sha256Hex', () => {
  it('matches the test vector of FIPS 180-4', () => {
    expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
