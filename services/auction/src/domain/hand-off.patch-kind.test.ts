import { describe, expect, it } from 'vitest';
import { patchKindOf } from './hand-off.patch-kind.ts';

const value = { amount: 390, currency: 'UAH' };

describe('formOf (bids-awards-auction.md 2.7)', () => {
  it.each([
    ['a value of a bid', { bids: [{ value }] }, 'results'],
    ['a value of one bid among entries that say nothing', { bids: [{}, { value }] }, 'results'],
    ['a value of a lot of a bid', { bids: [{ lotValues: [{}, { value }] }] }, 'results'],
    ['the echoed date of the record beside', { dateModified: '2017-02-16', bids: [{ value }] }, 'results'],
    ['an address of the auction', { auctionUrl: 'https://a.example.org', bids: [{ value }] }, 'addresses'],
    ['a link of a bidder', { bids: [{ value, participationUrl: 'https://a.example.org' }] }, 'addresses'],
    [
      'a link deep inside',
      { bids: [{ lotValues: [{ value, participationUrl: 'https://a.example.org' }] }] },
      'addresses',
    ],
    ['lots, even none', { lots: [], bids: [{ value }] }, 'addresses'],
    ['a null link counts as absent', { bids: [{ value, participationUrl: null }] }, 'results'],
    ['a null value counts as absent', { bids: [{ value: null }] }, 'none'],
    ['an answer to a feature is no money', { bids: [{ parameters: [{ code: 'F1', value: 0.1 }] }] }, 'none'],
    ['a value of the tender is none of a bid', { value, bids: [{}] }, 'none'],
    ['nothing at all', {}, 'none'],
    ['bids that are no list', { bids: 'all' }, 'none'],
  ])('%s', (_, data, form) => {
    expect(patchKindOf(data, '2.3')).toBe(form);
  });

  it('never reports by segment 2.5, where values are sent back with what was read', () => {
    expect(patchKindOf({ bids: [{ value }] }, '2.5')).toBe('none');
    expect(patchKindOf({ auctionUrl: 'https://a.example.org' }, '2.5')).toBe('addresses');
  });
});
