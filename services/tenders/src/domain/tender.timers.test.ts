import { parseInstant, type Instant } from '@procurement/contracts/reading/instant';
import type { AwardRecord } from '@procurement/contracts/resources/award-facts';
import { ACTORS } from '@procurement/testing/actors';
import { AUTHOR } from '@procurement/testing/bodies';
import { padId, LOT_1, LOT_2 } from '@procurement/testing/ids';
import { describe, expect, it } from 'vitest';
import {
  add,
  award,
  awardsInput,
  withCancelledLot,
  applyInput,
  hours,
  inStatus,
  tenderWithLots,
  newTender,
  NOW,
  inQualification,
  withSealedBids,
  SETTINGS,
  TENDERING_BEGINS,
  TENDERING_ENDS,
  tick,
  type Data,
} from '../../test-support/run-command.ts';
import { STATUSES } from '../../test-support/statuses.ts';
import type { TenderSettings, TenderState } from './tender.ts';
import { dueAt, nextCheck, timers } from './tender.timers.ts';

const tender = newTender();
const START = '2026-05-21T11:00:00+03:00';

function nextCheckOf(
  state: TenderState,
  now: Instant = NOW,
  settings: Partial<TenderSettings> = {},
): string | undefined {
  return nextCheck(state, now, { ...SETTINGS, ...settings });
}

function withPlannedAuction(state: TenderState, lot?: string, startDate = START): TenderState {
  return applyInput(state, { type: 'PlanAuction', startDate, lot, version: 1 }, TENDERING_BEGINS).state;
}

/** A tender in active.auction, with a planned start and `count` bids. */
function inAuction(count: number): TenderState {
  const closing = tick(withPlannedAuction(tick(tender, TENDERING_BEGINS).state), TENDERING_ENDS).state;
  const bids = Array.from({ length: count }, (_, n) => ({ id: padId(`b${n}`), lots: [] }));
  return applyInput(closing, { type: 'SealBids', bids }, TENDERING_ENDS).state;
}

describe('next_check (tenders.md 9.1)', () => {
  it.each(['draft', 'complete', 'cancelled', 'unsuccessful'] as const)('%s: none', (status) => {
    expect(nextCheckOf(inStatus(tender, status))).toBeUndefined();
  });

  it('active.enquiries: the start of the tender period, else the end of enquiries', () => {
    expect(nextCheckOf(tender)).toBe('2026-05-10T00:00:00+03:00');
    const { tenderPeriod } = tender.document;
    const without = { ...tender, document: { ...tender.document, tenderPeriod: { endDate: tenderPeriod?.endDate } } };
    expect(nextCheckOf(without)).toBe('2026-05-10T00:00:00+03:00');
  });

  it('active.tendering: the end of the tender period, also while the bids are being sealed', () => {
    const tendering = tick(tender, TENDERING_BEGINS).state;
    expect(nextCheckOf(tendering)).toBe('2026-05-20T18:00:00+03:00');
    const closing = tick(tendering, TENDERING_ENDS).state;
    expect(nextCheckOf(closing, TENDERING_ENDS)).toBe('2026-05-20T18:00:00+03:00');
    // The bids service was requested to seal: nothing to do here until it answers.
    expect(dueAt(closing, TENDERING_ENDS, SETTINGS)).toBeUndefined();
  });

  it('active.auction: the start, then 24 minutes and 6 for each bid after it, then none', () => {
    const state = inAuction(2);
    expect(nextCheckOf(state, TENDERING_ENDS)).toBe(START);
    expect(nextCheckOf(state, parseInstant(START))).toBe('2026-05-21T11:36:00+03:00');
    expect(nextCheckOf(state, parseInstant('2026-05-21T11:35:59+03:00'))).toBe('2026-05-21T11:36:00+03:00');
    expect(nextCheckOf(state, parseInstant('2026-05-21T11:36:00+03:00'))).toBeUndefined();
    expect(nextCheckOf(inAuction(3), parseInstant(START))).toBe('2026-05-21T11:42:00+03:00');
  });

  it('active.auction without a planned start, or after the end: none', () => {
    expect(nextCheckOf(withSealedBids(tender, [], []).state, TENDERING_ENDS)).toBeUndefined();
    const state = inAuction(2);
    const auctionPeriod = { startDate: START, endDate: '2026-05-21T11:30:00+03:00' };
    expect(nextCheckOf({ ...state, document: { ...state.document, auctionPeriod } }, TENDERING_ENDS)).toBeUndefined();
  });

  it('active.auction with lots: the earliest of all auctions, each with its own bids', () => {
    let state = tick(tenderWithLots(), TENDERING_BEGINS).state;
    state = withPlannedAuction(
      withPlannedAuction(state, LOT_1, '2026-05-21T11:00:00+03:00'),
      LOT_2,
      '2026-05-21T11:30:00+03:00',
    );
    const closing = tick(state, TENDERING_ENDS).state;
    const bids = [
      { id: padId('b0'), lots: [LOT_1, LOT_2] },
      { id: padId('b1'), lots: [LOT_1, LOT_2] },
      { id: padId('b2'), lots: [LOT_2] },
    ];
    const auction = applyInput(closing, { type: 'SealBids', bids }, TENDERING_ENDS).state;
    expect(nextCheckOf(auction, TENDERING_ENDS)).toBe('2026-05-21T11:00:00+03:00');
    expect(nextCheckOf(auction, parseInstant('2026-05-21T11:40:00+03:00'))).toBe('2026-05-21T12:12:00+03:00');
    expect(nextCheckOf(withCancelledLot(auction, LOT_1), TENDERING_ENDS)).toBe('2026-05-21T11:30:00+03:00');
  });

  const lost = (endDate: string, more: Partial<AwardRecord> = {}): AwardRecord =>
    award('a1', 'unsuccessful', { complaintPeriod: { endDate }, ...more });

  it('active.awarded: the latest end of a complaint period, when the last award is unsuccessful', () => {
    const state = inQualification();
    const awards = [
      lost('2026-05-25T18:00:00+03:00'),
      award('a2', 'unsuccessful', { complaintPeriod: { endDate: '2026-05-22T18:00:00+03:00' } }),
    ];
    expect(nextCheckOf(applyInput(state, awardsInput(state, awards), TENDERING_ENDS).state, TENDERING_ENDS)).toBe(
      '2026-05-25T18:00:00+03:00',
    );
    expect(nextCheckOf(state, TENDERING_ENDS)).toBeUndefined();
    const won = award('a1', 'active', { complaintPeriod: { endDate: '2026-05-25T18:00:00+03:00' } });
    const contracts = [{ id: padId('c1'), awardID: won.id, status: 'pending' as const }];
    expect(
      nextCheckOf(applyInput(state, awardsInput(state, [won], contracts), TENDERING_ENDS).state, TENDERING_ENDS),
    ).toBeUndefined();
  });

  it('active.awarded: none while a complaint blocks', () => {
    const state = inQualification();
    const complaints = [{ id: 'k', type: 'complaint', status: 'pending' }];
    const blocked = applyInput(
      state,
      awardsInput(state, [lost('2026-05-25T18:00:00+03:00', { complaints })]),
      TENDERING_ENDS,
    ).state;
    expect(nextCheckOf(blocked, TENDERING_ENDS)).toBeUndefined();
  });

  it('with lots, also in active.qualification: the same for each lot', () => {
    const open = withSealedBids(tenderWithLots(), [LOT_1, LOT_2]).state;
    const known = applyInput(open, { type: 'OpenBids', bids: [{ id: padId('b0') }] }, TENDERING_ENDS).state;
    const awards = [lost('2026-05-25T18:00:00+03:00', { lotID: LOT_1 }), award('a2', 'pending', { lotID: LOT_2 })];
    const state = applyInput(known, awardsInput(known, awards), TENDERING_ENDS).state;
    expect([state.document.status, nextCheckOf(state, TENDERING_ENDS)]).toEqual([
      'active.qualification',
      '2026-05-25T18:00:00+03:00',
    ]);
  });

  it('an active award without a contract: its date, and no deadline of this service', () => {
    const state = inQualification();
    const awarded = applyInput(state, awardsInput(state, [award('a1', 'active')]), TENDERING_ENDS).state;
    expect(nextCheckOf(awarded, TENDERING_ENDS)).toBe('2026-05-20T18:00:00+03:00');
    expect(dueAt(awarded, TENDERING_ENDS, SETTINGS)).toBeUndefined();
  });

  function complained(status: string, more: Data = {}): TenderState {
    const filed = add(
      tender,
      'FileComplaint',
      { author: AUTHOR, title: 'x', status: 'claim' },
      { actor: ACTORS.complainant },
    ).state;
    const [complaint] = filed.document.complaints ?? [];
    // Safe cast: the statuses of the table below are those of complaints.
    const complaints = [{ ...complaint, ...more, status }] as never;
    return { ...filed, document: { ...filed.document, complaints } };
  }

  it.each([
    ['a claim', 'full', 'claim', {}, '2026-05-07T10:15:00.120034+03:00'],
    ['an answer', 'full', 'answered', { dateAnswered: '2026-05-05T09:00:00+03:00' }, '2026-05-08T09:00:00+03:00'],
    [
      'an answer',
      'claims-only',
      'answered',
      { dateAnswered: '2026-05-05T09:00:00+03:00' },
      '2026-05-08T09:00:00+03:00',
    ],
    ['a claim', 'claims-only', 'claim', {}, '2026-05-10T00:00:00+03:00'],
    ['a pending complaint', 'full', 'pending', {}, '2026-05-10T00:00:00+03:00'],
    ['a pending complaint: now', 'claims-only', 'pending', {}, '2026-05-04T10:15:00.120034+03:00'],
    ['a draft', 'full', 'draft', {}, '2026-05-10T00:00:00+03:00'],
  ] as const)('%s, mode %s', (_what, complaintsMode, status, more, expected) => {
    expect(nextCheckOf(complained(status, more), NOW, { complaintsMode })).toBe(expected);
  });

  it('complaints about awards: their deadline, and no deadline of this service', () => {
    const state = inQualification();
    const complaints = [{ id: 'k', type: 'claim', status: 'claim', dateSubmitted: '2026-05-20T19:00:00+03:00' }];
    const claimed = applyInput(
      state,
      awardsInput(state, [award('a1', 'pending', { complaints })]),
      TENDERING_ENDS,
    ).state;
    expect(nextCheckOf(claimed, TENDERING_ENDS)).toBe('2026-05-23T19:00:00+03:00');
    expect(dueAt(claimed, TENDERING_ENDS, SETTINGS)).toBeUndefined();
  });

  it.each(STATUSES)('%s: the earliest of all timers', (status) => {
    const state = inStatus(complained('claim'), status);
    const all = timers(state, hours(1), SETTINGS).map((timer) => timer.at);
    const next = nextCheckOf(state, hours(1));
    expect(next === undefined ? undefined : parseInstant(next)).toBe(all.length === 0 ? undefined : Math.min(...all));
  });
});
