import { describe, expect, it } from 'vitest';
import { patchKindOf } from './hand-off.patch-kind.ts';

const value = { amount: 390, currency: 'UAH' };

describe('patchKindOf (bids-awards-auction.md 2.7)', () => {
  it.each([
    ['a value of a bid', { bids: [{ value }] }, 'results'],
    ['a value of one bid among empty entries', { bids: [{}, { value }] }, 'results'],
    ['a value of a lot of a bid', { bids: [{ lotValues: [{}, { value }] }] }, 'results'],
    ['a value beside dateModified of the record', { dateModified: '2017-02-16', bids: [{ value }] }, 'results'],
    ['an address of the auction', { auctionUrl: 'https://a.example.org', bids: [{ value }] }, 'addresses'],
    ['a link of a bidder', { bids: [{ value, participationUrl: 'https://a.example.org' }] }, 'addresses'],
    [
      'a link in lotValues',
      { bids: [{ lotValues: [{ value, participationUrl: 'https://a.example.org' }] }] },
      'addresses',
    ],
    ['lots, even an empty list', { lots: [], bids: [{ value }] }, 'addresses'],
    ['a null link counts as absent', { bids: [{ value, participationUrl: null }] }, 'results'],
    ['a null value counts as absent', { bids: [{ value: null }] }, 'none'],
    ['a value of a parameter does not count', { bids: [{ parameters: [{ code: 'F1', value: 0.1 }] }] }, 'none'],
    ['a value of the tender does not count', { value, bids: [{}] }, 'none'],
    ['an empty body', {}, 'none'],
    ['bids that are not a list', { bids: 'all' }, 'none'],
  ])('%s', (_, data, kind) => {
    expect(patchKindOf(data, '2.3')).toBe(kind);
  });

  it('is never results in segment 2.5', () => {
    expect(patchKindOf({ bids: [{ value }] }, '2.5')).toBe('none');
    expect(patchKindOf({ auctionUrl: 'https://a.example.org' }, '2.5')).toBe('addresses');
  });
});
