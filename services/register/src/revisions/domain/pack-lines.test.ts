import { describe, expect, it } from 'vitest';
import { dividePacks, packLines, PACK_BYTES_MAX, PACK_TEXTS_MAX, unpackLines } from './pack-lines.ts';

const texts = (count: number, text = '{"data":{}}') =>
  Array.from({ length: count }, (_, n) => ({ position: BigInt(n + 1), text }));

describe('packLines', () => {
  it('is undone by unpackLines', () => {
    const all = [...texts(3), { position: 9n, text: '{"data":{"title":"а б\\nв"}}' }];
    expect(unpackLines(packLines(all))).toEqual(all);
  });
});

describe('unpackLines', () => {
  it('refuses a line without a position', () => {
    expect(() => unpackLines('1 {}\n{}')).toThrow('no position');
  });
});

describe('dividePacks', () => {
  it('closes a pack at its number of texts', () => {
    expect(dividePacks(texts(PACK_TEXTS_MAX * 2 + 1)).map((pack) => pack.length)).toEqual([64, 64, 1]);
  });

  it('closes a pack at its bytes, and gives a larger text a pack of its own', () => {
    const half = 'x'.repeat(PACK_BYTES_MAX / 2);
    const all = [...texts(3, half), ...texts(1, half + half + half), ...texts(1)];
    expect(dividePacks(all).map((pack) => pack.length)).toEqual([2, 1, 1, 1]);
  });
});
