import { formatLocalDate } from '@procurement/contracts/reading/instant';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { describe, expect, it } from 'vitest';
import { tenderInAuction, tenderInAuctionWithLots, LOT_1, LOT_2 } from '../../test-support/hand-off-facts.ts';
import { makeAuctionUrl, makeParticipationUrl, specialTasks } from './special-mode.ts';

const tasks = (facts: TenderFacts, sandbox = true) =>
  specialTasks(facts, sandbox).map(({ kind, lot, dueAt }) => `${kind} ${lot ?? '-'} ${formatLocalDate(dueAt)}`);

const NO_AUCTION = { submissionMethodDetails: 'quick(mode:no-auction)' };
const [ENDS, SEEN] = ['2017-02-15T18:00:00+02:00', '2017-02-15T18:00:12+02:00'];

describe('tasksOf (tenders.md 7.4)', () => {
  it('reports a no-auction tender twelve seconds after tendering ends, whenever it was planned to begin', () => {
    expect(tasks(tenderInAuction(NO_AUCTION))).toEqual([`report - ${SEEN}`]);
  });

  it('publishes a fast-forward auction at once', () => {
    const submissionMethodDetails = 'швидко, quick(mode:fast-forward) ';
    expect(tasks(tenderInAuction({ submissionMethodDetails }))).toEqual([`publish - ${ENDS}`, `report - ${SEEN}`]);
  });

  it('treats each lot that is auctioned', () => {
    expect(tasks(tenderInAuctionWithLots({}, NO_AUCTION))).toEqual([
      `report ${LOT_1} ${SEEN}`,
      `report ${LOT_2} ${SEEN}`,
    ]);
    expect(tasks(tenderInAuctionWithLots({ status: 'cancelled' }, NO_AUCTION))).toEqual([`report ${LOT_1} ${SEEN}`]);
    expect(tasks(tenderInAuctionWithLots({ auctionPeriod: {} }, NO_AUCTION))).toEqual([`report ${LOT_1} ${SEEN}`]);
  });

  it.each<readonly [string, Partial<TenderFacts>]>([
    ['before the auction', { status: 'active.tendering' }],
    ['before it is planned', { auctionPeriod: { shouldStartAfter: ENDS } }],
    ['after its end', { auctionPeriod: { startDate: ENDS, endDate: SEEN } }],
    ['an auction that is held', { submissionMethodDetails: 'quick' }],
    ['a word in the middle', { submissionMethodDetails: 'quick(mode:no-auction) or not' }],
  ])('leaves alone %s', (_, partial) => {
    expect(tasks(tenderInAuction({ ...NO_AUCTION, ...partial }))).toEqual([]);
  });

  it('does nothing outside the sandbox', () => {
    expect(tasks(tenderInAuction(NO_AUCTION), false)).toEqual([]);
  });
});

describe('addresses of auctions that are not held', () => {
  it('name the auction, and the bidder', () => {
    const auction = makeAuctionUrl('https://auction.example.org/', 'f', { lot: 'a' });
    expect(auction).toBe('https://auction.example.org/tenders/f_a');
    expect(makeParticipationUrl(makeAuctionUrl('https://a.example.org', 'f', {}), 'b', 's')).toBe(
      'https://a.example.org/tenders/f/login?bidder_id=b&hash=s',
    );
  });
});
