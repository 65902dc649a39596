import { describe, expect, it } from 'vitest';
import { byteRange } from './byte-range.ts';

describe('byteRange', () => {
  it.each([
    ['bytes=0-99', 1000, { from: 0, to: 99 }],
    ['bytes=500-', 1000, { from: 500, to: 999 }],
    ['bytes=-100', 1000, { from: 900, to: 999 }],
    ['bytes=-5000', 1000, { from: 0, to: 999 }],
    ['bytes=990-5000', 1000, { from: 990, to: 999 }],
    ['bytes=1000-', 1000, 'unsatisfiable'],
    ['bytes=-0', 1000, 'unsatisfiable'],
    ['bytes=9-5', 1000, undefined],
    ['bytes=0-1,5-6', 1000, undefined],
    ['bytes=-', 1000, undefined],
    ['pages=1-2', 1000, undefined],
    [undefined, 1000, undefined],
  ])('%s of %d', (header, bytes, expected) => {
    expect(byteRange(header, bytes)).toEqual(expected);
  });
});
