import { formatLocalDate } from '@procurement/contracts/reading/instant';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { describe, expect, it } from 'vitest';
import { tenderInAuction, tenderInAuctionWithLots, LOT_1, LOT_2 } from '../../test-support/hand-off-facts.ts';
import { makeAuctionUrl, makeParticipationUrl, specialTasks } from './special-mode.ts';

const tasks = (facts: TenderFacts, isPlayed = true) =>
  specialTasks(facts, isPlayed).map(({ kind, lot, dueAt }) => `${kind} ${lot ?? '-'} ${formatLocalDate(dueAt)}`);

const NO_AUCTION = { submissionMethodDetails: 'quick(mode:no-auction)' };
const [ENDS, REPORT_DUE] = ['2017-02-15T18:00:00+02:00', '2017-02-15T18:00:12+02:00'];

describe('specialTasks (tenders.md 7.4)', () => {
  it('reports a no-auction tender twelve seconds after tendering ends, whatever its start', () => {
    expect(tasks(tenderInAuction(NO_AUCTION))).toEqual([`report - ${REPORT_DUE}`]);
  });

  it('publishes a fast-forward auction at once', () => {
    const submissionMethodDetails = 'швидко, quick(mode:fast-forward) ';
    expect(tasks(tenderInAuction({ submissionMethodDetails }))).toEqual([
      `publish - ${ENDS}`,
      `report - ${REPORT_DUE}`,
    ]);
  });

  it('stores the report, and no publication, while tendering lasts', () => {
    const submissionMethodDetails = 'quick(mode:fast-forward)';
    const tendering = tenderInAuction({ submissionMethodDetails, status: 'active.tendering' });
    expect(tasks(tendering)).toEqual([`report - ${REPORT_DUE}`]);
  });

  it('has tasks for each lot that is active and planned', () => {
    expect(tasks(tenderInAuctionWithLots({}, NO_AUCTION))).toEqual([
      `report ${LOT_1} ${REPORT_DUE}`,
      `report ${LOT_2} ${REPORT_DUE}`,
    ]);
    expect(tasks(tenderInAuctionWithLots({ status: 'cancelled' }, NO_AUCTION))).toEqual([
      `report ${LOT_1} ${REPORT_DUE}`,
    ]);
    expect(tasks(tenderInAuctionWithLots({ auctionPeriod: {} }, NO_AUCTION))).toEqual([
      `report ${LOT_1} ${REPORT_DUE}`,
    ]);
  });

  it.each<readonly [string, Partial<TenderFacts>]>([
    ['before tendering', { status: 'active.enquiries' }],
    ['before it has a start', { auctionPeriod: { shouldStartAfter: ENDS } }],
    ['after its end', { auctionPeriod: { startDate: ENDS, endDate: REPORT_DUE } }],
    ['for a quick auction without a special mode', { submissionMethodDetails: 'quick' }],
    ['with the mode in the middle of the text', { submissionMethodDetails: 'quick(mode:no-auction) or not' }],
  ])('has no task %s', (_, partial) => {
    expect(tasks(tenderInAuction({ ...NO_AUCTION, ...partial }))).toEqual([]);
  });

  it('has no task where this service does not play special modes', () => {
    expect(tasks(tenderInAuction(NO_AUCTION), false)).toEqual([]);
  });
});

describe('makeAuctionUrl and makeParticipationUrl', () => {
  it('contain the ids of auction and bid', () => {
    const auction = makeAuctionUrl('https://auction.example.org/', 'f', { lot: 'a' });
    expect(auction).toBe('https://auction.example.org/tenders/f_a');
    expect(makeParticipationUrl(makeAuctionUrl('https://a.example.org', 'f', {}), 'b', 's')).toBe(
      'https://a.example.org/tenders/f/login?bidder_id=b&hash=s',
    );
  });
});
