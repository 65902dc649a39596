import { describe, expect, it } from 'vitest';
import { causeBits, causesIn, PUBLICATION_CAUSES } from './causes.ts';

describe('causeBits, causesIn', () => {
  it('has one bit for each cause, by its position', () => {
    PUBLICATION_CAUSES.forEach((cause, bit) => expect(causeBits([cause])).toBe(1n << BigInt(bit)));
    expect(causeBits(['clock', 'bids.closed', 'clock'])).toBe((1n << 11n) | (1n << 12n));
  });

  it('reads what it wrote, in the order of the list, and leaves out bits of a later release', () => {
    expect(causesIn(causeBits(['baseline', 'tender.created']))).toEqual(['tender.created', 'baseline']);
    expect(causesIn((1n << 60n) | 1n)).toEqual(['tender.created']);
  });
});
