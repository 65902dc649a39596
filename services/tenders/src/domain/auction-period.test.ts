import { parseInstant, type Instant } from '@procurement/contracts/reading/instant';
import { padId, LOT_1, LOT_2 } from '@procurement/testing/ids';
import { describe, expect, it } from 'vitest';
import {
  withCancelledLot,
  applyInput,
  tenderWithLots,
  newTender,
  inQualification,
  withSealedBids,
  SETTINGS,
  TENDERING_BEGINS,
  TENDERING_ENDS,
  tick,
} from '../../test-support/run-command.ts';
import { openAuctions, planningIsDue, shouldStartAfter } from './auction-period.ts';
import type { TenderSettings, TenderState } from './tender.ts';

function earliest(
  state: TenderState,
  now: Instant = TENDERING_BEGINS,
  settings: Partial<TenderSettings> = {},
): readonly (string | undefined)[] {
  const all = { ...SETTINGS, ...settings };
  return openAuctions(state).map((auction) => shouldStartAfter(auction, state.document, now, all));
}

const tendering = (state: TenderState): TenderState => tick(state, TENDERING_BEGINS).state;
const tenderEndingAt = (endDate: string, more = {}): TenderState =>
  tendering(newTender({ tenderPeriod: { startDate: '2026-05-10', endDate }, ...more }));

describe('shouldStartAfter (tenders.md 9.2, bids-awards-auction.md 2.9)', () => {
  it.each([
    ['2026-05-20T18:00:00', '2026-05-21T00:00:00+03:00'],
    ['2026-05-21T00:00:00', '2026-05-21T00:00:00+03:00'],
    ['2026-05-20T23:59:59.999999', '2026-05-21T00:00:00+03:00'],
    ['2026-05-20T18:00:00+00:00', '2026-05-21T00:00:00+00:00'],
    ['2026-05-20T22:30:00-05:00', '2026-05-21T00:00:00-05:00'],
  ])('is the midnight after %s in the same offset: %s', (endDate, expected) => {
    expect(earliest(tenderEndingAt(endDate))).toEqual([expected]);
  });

  it('is the end of tendering itself for a quick auction in the sandbox', () => {
    const quick = tenderEndingAt('2026-05-20T18:00:00', { submissionMethodDetails: 'quick(mode:no-auction)' });
    expect(earliest(quick)).toEqual(['2026-05-20T18:00:00+03:00']);
    expect(earliest(quick, undefined, { sandbox: false })).toEqual(['2026-05-21T00:00:00+03:00']);
  });

  it('exists in active.tendering and active.auction only', () => {
    expect(earliest(newTender())).toEqual([]);
    expect(earliest(withSealedBids(newTender(), [], []).state)).toHaveLength(1);
    expect(earliest(inQualification())).toEqual([]);
  });

  it('exists for each active lot, in active.auction only for those with two bids', () => {
    const state = tendering(tenderWithLots());
    expect(openAuctions(state).map((auction) => auction.lot)).toEqual([LOT_1, LOT_2]);
    expect(openAuctions(withCancelledLot(state, LOT_1)).map((auction) => auction.lot)).toEqual([LOT_2]);
    const auction = withSealedBids(tenderWithLots(), [LOT_1, LOT_2], [LOT_2]).state;
    expect(openAuctions(auction).map(({ lot, bids }) => [lot, bids])).toEqual([[LOT_2, 2]]);
  });

  it('does not exist once the auction is over', () => {
    const state = withSealedBids(newTender(), [], []).state;
    const auctionPeriod = { endDate: '2026-05-21T12:00:00+03:00' };
    expect(openAuctions({ ...state, document: { ...state.document, auctionPeriod } })).toEqual([]);
  });

  it('is the next day for an auction that was missed, whose expected end depends on its bids', () => {
    const planned = applyInput(
      tendering(newTender()),
      { type: 'PlanAuction', startDate: '2026-05-21T11:12:34+03:00', version: 1 },
      TENDERING_BEGINS,
    ).state;
    const closing = tick(planned, TENDERING_ENDS).state;
    const bids = [
      { id: padId('b0'), lots: [] },
      { id: padId('b1'), lots: [] },
    ];
    const state = applyInput(closing, { type: 'SealBids', bids }, TENDERING_ENDS).state;
    const isDue = (now: Instant): boolean =>
      openAuctions(state).some((auction) => planningIsDue(auction, state.document, now, SETTINGS));
    expect(isDue(parseInstant('2026-05-21T11:48:33.999999+03:00'))).toBe(false);
    const missed = parseInstant('2026-05-21T11:48:34+03:00');
    expect([isDue(missed), earliest(state, missed)]).toEqual([true, ['2026-05-22T00:00:00+03:00']]);
  });
});
