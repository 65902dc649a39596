import { describe, expect, it } from 'vitest';
import { LOT_1, LOT_2 } from '../../test-support/hand-off-facts.ts';
import { cancellationRefusal, newestPendingAward, hasAddress, hasOutcome } from './auction-outcome.ts';
import type { PublicLot, PublicTender } from './auction-record.ts';

const END = '2017-02-16T11:35:35+02:00';
const tender = (partial: Partial<PublicTender>): PublicTender => ({
  tenderID: 'x',
  dateModified: END,
  status: 'active.auction',
  ...partial,
});
const lots = (first: Partial<PublicLot>): readonly PublicLot[] => [
  { id: LOT_1, status: 'active', ...first },
  { id: LOT_2, status: 'active' },
];

describe('hasOutcome', () => {
  it.each<readonly [string, Partial<PublicTender>, string | undefined, boolean]>([
    ['false while the tender is in its auction', {}, undefined, false],
    ['true when the tender has left it', { status: 'active.qualification' }, undefined, true],
    ['true when the tender was cancelled', { status: 'cancelled' }, undefined, true],
    ['false while the lot has no end', { lots: lots({}) }, LOT_1, false],
    ['true when the lot has its end', { lots: lots({ auctionPeriod: { endDate: END } }) }, LOT_1, true],
    ['false when only another lot has its end', { lots: lots({ auctionPeriod: { endDate: END } }) }, LOT_2, false],
    ['true when the lot was cancelled', { lots: lots({ status: 'cancelled' }) }, LOT_1, true],
    ['true without a lot on a tender with lots', { lots: lots({}) }, undefined, true],
  ])('%s', (_, partial, lot, isShown) => {
    expect(hasOutcome(tender(partial), { lot })).toBe(isShown);
  });
});

describe('hasAddress', () => {
  const [auctionUrl, old] = ['https://a.example.org/2', 'https://a.example.org/1'];
  const addresses = { auctions: [{ auctionUrl }, { lot: LOT_1, auctionUrl }], bids: [] };

  it.each<readonly [string, Partial<PublicTender>, string | undefined, boolean]>([
    ['false while the tender shows none', {}, undefined, false],
    ['false while the tender shows an older one', { auctionUrl: old }, undefined, false],
    ['true when the tender shows it', { auctionUrl }, undefined, true],
    ['true when the tender has left its auction', { status: 'cancelled' }, undefined, true],
    ['false while the lot shows an older one', { lots: lots({ auctionUrl: old }) }, LOT_1, false],
    ['true when the lot shows it', { lots: lots({ auctionUrl }) }, LOT_1, true],
    ['true when the lot was cancelled', { lots: lots({ status: 'cancelled' }) }, LOT_1, true],
    ['true when none was published', { lots: lots({}) }, LOT_2, true],
  ])('%s', (_, partial, lot, isShown) => {
    expect(hasAddress(tender(partial), addresses, { lot })).toBe(isShown);
  });
});

describe('cancellationRefusal', () => {
  it.each<readonly [string, Partial<PublicTender>, string | undefined, string | undefined]>([
    ['none without a cancellation', { status: 'active.qualification' }, undefined, undefined],
    ['tender cancelled before the end of the auction', { status: 'cancelled' }, undefined, 'auction.report-status'],
    [
      'none when the tender was cancelled after the end',
      { status: 'cancelled', auctionPeriod: { endDate: END } },
      undefined,
      undefined,
    ],
    [
      'lot cancelled before the end of its auction',
      { lots: lots({ status: 'cancelled' }) },
      LOT_1,
      'auction.report-lot',
    ],
    [
      'none when the lot was cancelled after the end',
      { lots: lots({ status: 'cancelled', auctionPeriod: { endDate: END } }) },
      LOT_1,
      undefined,
    ],
    ['none when another lot was cancelled', { lots: lots({ status: 'cancelled' }) }, LOT_2, undefined],
  ])('%s', (_, partial, lot, code) => {
    expect(cancellationRefusal(tender(partial), { lot })?.code).toBe(code);
  });
});

describe('newestPendingAward', () => {
  const awards = [
    { id: 'a1', status: 'pending', lotID: LOT_1 },
    { id: 'a2', status: 'pending', lotID: LOT_2 },
    { id: 'a3', status: 'unsuccessful', lotID: LOT_1 },
  ];

  it('is the last pending award, of the lot if one is given', () => {
    expect(newestPendingAward(tender({ awards }), {})?.id).toBe('a2');
    expect(newestPendingAward(tender({ awards }), { lot: LOT_1 })?.id).toBe('a1');
    expect(newestPendingAward(tender({}), {})).toBeUndefined();
  });
});
