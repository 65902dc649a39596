import { parseInstant } from '@procurement/contracts/reading/instant';
import type { AwardRecord } from '@procurement/contracts/resources/award-facts';
import type { TenderStatus } from '@procurement/contracts/resources/tender';
import { ACTORS } from '@procurement/testing/actors';
import { AUTHOR } from '@procurement/testing/bodies';
import { padId, LOT_1, LOT_2 } from '@procurement/testing/ids';
import { refusalOf } from '@procurement/testing/refusals';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  add,
  award,
  awardsInput,
  bids,
  withCancelledLot,
  change,
  applyInput,
  hours,
  inStatus,
  tenderWithLots,
  newTender,
  patch,
  inQualification,
  withSealedBids,
  TENDERING_BEGINS,
  TENDERING_ENDS,
  tick,
  type Data,
  AUCTION_ENDED_AT,
  endAuctionInput,
  OPEN_TWO_BIDS,
} from '../../test-support/run-command.ts';
import { FINAL, STATUSES } from '../../test-support/statuses.ts';
import { TENDER_TRANSITIONS } from './tender.transitions.ts';
import type { TenderEvent, TenderState } from './tender.ts';

const tender = newTender();
const types = (events: readonly TenderEvent[]): readonly string[] => events.map((event) => event.type);
const statusOf = (state: TenderState): TenderStatus => state.document.status;
const BEGINS = '2026-05-10T00:00:00.000000+03:00';
const ENDS = '2026-05-20T18:00:00.000000+03:00';

const tendering = (state: TenderState): TenderState => tick(state, TENDERING_BEGINS).state;
const opened = { type: 'OpenBids', bids: [{ id: padId('b0') }] } as const;

const PLANNED = { type: 'PlanAuction', startDate: '2026-05-21T11:00:00+03:00', version: 1 } as const;

describe('rows 1 to 3: creation and activation (tenders.md 8.2)', () => {
  it.each([
    ['draft', 'draft'],
    [undefined, 'active.enquiries'],
    ['active.tendering', 'active.enquiries'],
  ])('rows 1 and 2: created with status %s', (sent, status) => {
    expect(statusOf(newTender(sent === undefined ? {} : { status: sent }))).toBe(status);
  });

  it('row 3: the owner activates a draft, and nothing else changes', () => {
    const draft = newTender({ status: 'draft' });
    const { state } = patch(draft, { status: 'active.enquiries', title: 'інша' }, { now: hours(1) });
    expect(state.document).toEqual({
      ...draft.document,
      status: 'active.enquiries',
      date: '2026-05-04T11:15:00.120034+03:00',
    });
  });

  it('the clock does not change a draft', () => {
    expect(tick(newTender({ status: 'draft' }), hours(10_000)).events).toEqual([]);
  });
});

describe('row 4: tendering begins', () => {
  it('at the start of the tender period and not a microsecond earlier', () => {
    expect(tick(tender, parseInstant('2026-05-09T23:59:59.999999+03:00')).events).toEqual([]);
    expect(tick(tender, TENDERING_BEGINS).state.document).toMatchObject({ status: 'active.tendering', date: BEGINS });
  });

  it('at the start that the client sent', () => {
    const later = newTender({ tenderPeriod: { startDate: '2026-05-11', endDate: '2026-05-20T18:00:00' } });
    expect(tick(later, TENDERING_BEGINS).events).toEqual([]);
    expect(statusOf(tick(later, parseInstant('2026-05-11T00:00:00+03:00')).state)).toBe('active.tendering');
  });

  it('at the end of enquiries if the tender period has no start', () => {
    const state: TenderState = {
      ...tender,
      document: { ...tender.document, tenderPeriod: { endDate: tender.document.tenderPeriod?.endDate } },
    };
    expect(statusOf(tick(state, TENDERING_BEGINS).state)).toBe('active.tendering');
  });
});

describe('rows 5 to 7: tendering ends (tenders.md 8.3; architecture.md, handshake 1)', () => {
  it('requests the sealed set once, and shows no change yet', () => {
    const { state, events } = tick(tendering(tender), TENDERING_ENDS);
    expect(events[1]).toEqual({ type: 'TenderingEnded', endDate: '2026-05-20T18:00:00+03:00' });
    expect([statusOf(state), state.bidding.phase]).toEqual(['active.tendering', 'closing']);
    expect(tick(state, hours(10_000)).events).toEqual([]);
  });

  it.each([
    [0, 'unsuccessful', ['TenderChanged']],
    [1, 'active.tendering', ['TenderChanged', 'QualificationDue']],
    [2, 'active.auction', ['TenderChanged']],
    [3, 'active.auction', ['TenderChanged']],
  ] as const)('without lots, %d bids: %s', (count, status, expected) => {
    const result = withSealedBids(tender, ...Array.from({ length: count }, () => []));
    expect([statusOf(result.state), types(result.events)]).toEqual([status, expected]);
    if (status !== 'active.tendering') expect(result.state.document.date).toBe(ENDS);
  });

  it.each([
    [[[], []], 'unsuccessful', ['unsuccessful', 'unsuccessful']],
    [[[LOT_1]], 'active.tendering', ['active', 'active']],
    [[[LOT_1, LOT_2]], 'active.tendering', ['active', 'active']],
    [[[LOT_1, LOT_2], [LOT_1]], 'active.auction', ['active', 'active']],
    [[[LOT_1], [LOT_1]], 'active.auction', ['active', 'unsuccessful']],
  ] as const)('with lots, bids for %j: %s', (sets, status, lots) => {
    const { state } = withSealedBids(tenderWithLots(), ...sets.filter((set) => set.length > 0));
    expect([statusOf(state), state.document.lots?.map((lot) => lot.status)]).toEqual([status, lots]);
  });

  it('removes the planned start of lots with fewer than two bids', () => {
    const planned = (lot: string): Data => ({ ...PLANNED, lot });
    let state = tendering(tenderWithLots());
    for (const lot of [LOT_1, LOT_2]) state = applyInput(state, planned(lot) as never, TENDERING_BEGINS).state;
    expect(state.document.lots?.every((lot) => lot.auctionPeriod?.startDate !== undefined)).toBe(true);
    const closing = tick(state, TENDERING_ENDS).state;
    const sets = bids([LOT_1, LOT_2], [LOT_1]);
    const { document } = applyInput(closing, { type: 'SealBids', bids: sets }, TENDERING_ENDS).state;
    expect(document.lots?.map((lot) => lot.auctionPeriod)).toEqual([
      { startDate: '2026-05-21T11:00:00+03:00' },
      undefined,
    ]);
  });

  it('row 6: one bid: qualification when bids and awards have arrived, in either order', () => {
    const waiting = applyInput(
      tick(applyInput(tendering(tender), PLANNED, TENDERING_BEGINS).state, TENDERING_ENDS).state,
      { type: 'SealBids', bids: bids([]) },
      TENDERING_ENDS,
    ).state;
    const awards = awardsInput(waiting, [award('a1', 'pending')]);
    for (const order of [
      [opened, awards],
      [awards, opened],
    ] as const) {
      const between = applyInput(waiting, order[0], TENDERING_ENDS).state;
      expect(between.document).toEqual(waiting.document);
      const { document } = applyInput(between, order[1], TENDERING_ENDS).state;
      expect(document).toMatchObject({ status: 'active.qualification', date: ENDS, awardPeriod: { startDate: ENDS } });
      expect(document).not.toHaveProperty('auctionPeriod');
    }
  });

  it('row 10: goes to active.awarded when the award was decided before the opening', () => {
    const waiting = withSealedBids(tender, []).state;
    const early = applyInput(waiting, awardsInput(waiting, [award('a1', 'active')]), TENDERING_ENDS).state;
    expect(statusOf(early)).toBe('active.tendering');
    expect(statusOf(applyInput(early, opened, TENDERING_ENDS).state)).toBe('active.awarded');
  });

  it('ignores repeated and unexpected inputs', () => {
    const auction = withSealedBids(tender, [], []).state;
    expect(applyInput(auction, { type: 'SealBids', bids: [] }, TENDERING_ENDS).events).toEqual([]);
    expect(applyInput(tender, { type: 'SealBids', bids: bids([]) }, TENDERING_ENDS).events).toEqual([]);
    expect(applyInput(auction, opened, TENDERING_ENDS).events).toEqual([]);
  });
});

describe('OpenBids, repeated', () => {
  it('has no effect while the tender waits for its awards', () => {
    const waiting = applyInput(withSealedBids(tender, []).state, opened, TENDERING_ENDS).state;
    expect(applyInput(waiting, opened, TENDERING_ENDS).events).toEqual([]);
  });

  it('restores the bids of a tender that has lost them, and changes nothing else', () => {
    const complete = inQualification();
    const { bids: shown, ...lost } = complete;
    const { state } = applyInput({ ...lost }, { type: 'OpenBids', bids: shown ?? [] }, TENDERING_ENDS);
    expect(state).toEqual({ ...complete, version: complete.version + 1 });
    expect(applyInput(complete, opened, TENDERING_ENDS).events).toEqual([]);
  });
});

describe('rows 8, 10 to 12: awards (bids-awards-auction.md 3.3, 3.4)', () => {
  function awarding(): TenderState {
    const auction = withSealedBids(tender, [], []).state;
    const state: TenderState = { ...auction, bidding: { phase: 'opening', bids: bids([], []) } };
    const open = applyInput(
      state,
      { type: 'OpenBids', bids: [{ id: padId('b0') }, { id: padId('b1') }] },
      TENDERING_ENDS,
    ).state;
    return applyInput(open, awardsInput(open, [award('a1', 'pending')]), TENDERING_ENDS).state;
  }
  const later = hours(24 * 20);

  it('row 8: after the auction, with a pending award', () => {
    expect(awarding().document).toMatchObject({ status: 'active.qualification', awardPeriod: { startDate: ENDS } });
  });

  it.each([
    ['row 10, an active award', [award('a1', 'active')], 'active.awarded'],
    ['row 10, no bid left', [award('a1', 'unsuccessful')], 'active.awarded'],
    ['row 11, the next award', [award('a1', 'unsuccessful'), award('a2', 'pending')], 'active.qualification'],
  ] as const)('%s', (_row, awards, status) => {
    const state = awarding();
    const { document } = applyInput(state, awardsInput(state, awards), later).state;
    expect(document.status).toBe(status);
    expect(document.awardPeriod?.endDate !== undefined).toBe(status === 'active.awarded');
  });

  it('row 12: returns to qualification when the award is cancelled', () => {
    const one = awarding();
    const awarded = applyInput(one, awardsInput(one, [award('a1', 'active')]), later).state;
    const { document } = applyInput(
      awarded,
      awardsInput(awarded, [award('a1', 'cancelled'), award('a2', 'pending')]),
      hours(24 * 21),
    ).state;
    expect(document).toMatchObject({ status: 'active.qualification', awardPeriod: { startDate: ENDS } });
    expect(document.awardPeriod).not.toHaveProperty('endDate');
  });

  it('ignores an older version of the awards', () => {
    const state = awarding();
    const newer = applyInput(state, awardsInput(state, [award('a1', 'active')]), later).state;
    expect(applyInput(newer, awardsInput(state, [award('a1', 'unsuccessful')]), later).events).toEqual([]);
  });

  it('with lots: awarded when no active lot has a pending award', () => {
    const open = withSealedBids(tenderWithLots(), [LOT_1, LOT_2]).state;
    const known = applyInput(open, { type: 'OpenBids', bids: [{ id: padId('b0') }] }, TENDERING_ENDS).state;
    const of = (id: string, lotID: string, status: AwardRecord['status']): AwardRecord => award(id, status, { lotID });
    const both = applyInput(
      known,
      awardsInput(known, [of('a1', LOT_1, 'pending'), of('a2', LOT_2, 'pending')]),
      later,
    ).state;
    expect(statusOf(both)).toBe('active.qualification');
    const one = applyInput(
      both,
      awardsInput(both, [of('a1', LOT_1, 'active'), of('a2', LOT_2, 'pending')]),
      later,
    ).state;
    expect(statusOf(one)).toBe('active.qualification');
    const none = applyInput(
      one,
      awardsInput(one, [of('a1', LOT_1, 'active'), of('a2', LOT_2, 'unsuccessful')]),
      later,
    ).state;
    expect(statusOf(none)).toBe('active.awarded');
    const cancelled = withCancelledLot(one, LOT_2);
    expect(statusOf(applyInput(cancelled, awardsInput(cancelled, cancelled.awards?.awards ?? []), later).state)).toBe(
      'active.awarded',
    );
  });
});

describe('rows 13 to 16: the end (bids-awards-auction.md 3.9)', () => {
  const STAND_STILL = '2026-05-22T18:00:00+03:00';
  const over = parseInstant(STAND_STILL);
  const lost = (id: string, more: Partial<AwardRecord> = {}): AwardRecord =>
    award(id, 'unsuccessful', { complaintPeriod: { endDate: STAND_STILL }, ...more });
  const won = (id: string, more: Partial<AwardRecord> = {}): AwardRecord =>
    award(id, 'active', { complaintPeriod: { endDate: STAND_STILL }, ...more });
  const contract = (awardID: string, status: 'active' | 'pending') => ({
    id: padId('c1'),
    awardID: padId(awardID),
    status,
  });

  it('row 13: complete when the contract is signed', () => {
    const state = inQualification();
    const pending = applyInput(state, awardsInput(state, [won('a1')], [contract('a1', 'pending')]), over).state;
    expect(statusOf(pending)).toBe('active.awarded');
    const signed = applyInput(pending, awardsInput(pending, [won('a1')], [contract('a1', 'active')]), over).state;
    expect(signed.document).toMatchObject({ status: 'complete', date: '2026-05-22T18:00:00.000000+03:00' });
  });

  it('row 15: unsuccessful when no bid is left and the stand-still is over', () => {
    const state = inQualification();
    const noBidLeft = applyInput(state, awardsInput(state, [lost('a1')]), TENDERING_ENDS).state;
    expect(statusOf(noBidLeft)).toBe('active.awarded');
    expect(tick(noBidLeft, parseInstant('2026-05-22T17:59:59.999999+03:00')).events).toEqual([]);
    expect(statusOf(tick(noBidLeft, over).state)).toBe('unsuccessful');
  });

  it.each([
    ['full', 'claim', 'active.awarded'],
    ['full', 'answered', 'active.awarded'],
    ['full', 'pending', 'active.awarded'],
    ['full', 'draft', 'unsuccessful'],
    ['full', 'cancelled', 'unsuccessful'],
    ['claims-only', 'claim', 'unsuccessful'],
    ['claims-only', 'answered', 'active.awarded'],
  ] as const)('mode %s: with an award complaint in status %s the tender is %s', (complaintsMode, status, expected) => {
    const state = inQualification();
    const complaints = [{ id: 'k', type: 'claim', status }];
    const facts = awardsInput(state, [lost('a1', { complaints })]);
    expect(statusOf(applyInput(state, facts, over, { complaintsMode }).state)).toBe(expected);
  });

  it('a complaint about the tender blocks too', () => {
    const filed = add(
      tender,
      'FileComplaint',
      { author: AUTHOR, title: 'x', status: 'claim' },
      { actor: ACTORS.complainant },
    );
    const base = inQualification();
    const state: TenderState = { ...base, document: { ...base.document, complaints: filed.state.document.complaints } };
    expect(statusOf(applyInput(state, awardsInput(state, [lost('a1')]), TENDERING_ENDS).state)).toBe('active.awarded');
  });

  it('open claims become ignored in mode claims-only (tenders.md 13.4)', () => {
    const complaintsMode = 'claims-only';
    const filed = add(
      tender,
      'FileComplaint',
      { author: AUTHOR, title: 'x', status: 'claim' },
      { actor: ACTORS.complainant },
    );
    const ended = (mode: 'full' | 'claims-only'): string | undefined => {
      const closing = tick(tick(filed.state, TENDERING_BEGINS, { complaintsMode }).state, TENDERING_ENDS, {
        complaintsMode,
      });
      const sealedSet = applyInput(closing.state, { type: 'SealBids', bids: [] }, TENDERING_ENDS, {
        complaintsMode: mode,
      });
      return sealedSet.state.document.complaints?.[0]?.status;
    };
    expect([ended('claims-only'), ended('full')]).toEqual(['ignored', 'claim']);
  });

  function lotted(awards: readonly AwardRecord[], contracts: readonly ReturnType<typeof contract>[] = []): TenderState {
    const open = withSealedBids(tenderWithLots(), [LOT_1, LOT_2]).state;
    const known = applyInput(open, { type: 'OpenBids', bids: [{ id: padId('b0') }] }, TENDERING_ENDS).state;
    const first = [award('a1', 'pending', { lotID: LOT_1 }), award('a2', 'pending', { lotID: LOT_2 })];
    const state = applyInput(known, awardsInput(known, first), TENDERING_ENDS).state;
    return applyInput(state, awardsInput(state, awards, contracts), over).state;
  }

  it.each([
    [
      'row 14: both signed',
      [won('a1', { lotID: LOT_1 }), won('a2', { lotID: LOT_2 })],
      ['a1', 'a2'],
      'complete',
      ['complete', 'complete'],
    ],
    [
      'row 14: one signed, one lost',
      [won('a1', { lotID: LOT_1 }), lost('a2', { lotID: LOT_2 })],
      ['a1'],
      'complete',
      ['complete', 'unsuccessful'],
    ],
    [
      'row 16: both lost',
      [lost('a1', { lotID: LOT_1 }), lost('a2', { lotID: LOT_2 })],
      [],
      'unsuccessful',
      ['unsuccessful', 'unsuccessful'],
    ],
    [
      'one signed, one not yet',
      [won('a1', { lotID: LOT_1 }), won('a2', { lotID: LOT_2 })],
      ['a1'],
      'active.awarded',
      ['complete', 'active'],
    ],
    [
      'one lost, one pending',
      [lost('a1', { lotID: LOT_1 }), award('a2', 'pending', { lotID: LOT_2 })],
      [],
      'active.qualification',
      ['unsuccessful', 'active'],
    ],
  ] as const)('with lots, %s', (_what, awards, signed, status, lots) => {
    const { document } = lotted(
      awards,
      signed.map((id) => contract(id, 'active')),
    );
    expect([document.status, document.lots?.map((lot) => lot.status)]).toEqual([status, lots]);
  });

  it('with lots: each lot has its own stand-still', () => {
    const long = { complaintPeriod: { endDate: '2026-05-25T18:00:00+03:00' } };
    const state = lotted([lost('a1', { lotID: LOT_1 }), lost('a2', { lotID: LOT_2, ...long })]);
    expect(state.document.lots?.map((lot) => lot.status)).toEqual(['unsuccessful', 'active']);
    const { document } = tick(state, parseInstant('2026-05-25T18:00:00+03:00')).state;
    expect(document).toMatchObject({ status: 'unsuccessful' });
  });
});

describe('PlanAuction (tenders.md 9.3)', () => {
  const plan = (startDate: string, lot?: string, version = 1) =>
    ({ type: 'PlanAuction', startDate, version, ...(lot === undefined ? {} : { lot }) }) as const;

  it('sets the start while planning is due, in active.tendering and active.auction only', () => {
    const good = plan('2026-05-21T11:12:34+03:00');
    expect(applyInput(tender, good, TENDERING_BEGINS).events).toEqual([]);
    const planned = applyInput(tendering(tender), good, TENDERING_BEGINS).state;
    expect(planned.document.auctionPeriod).toEqual({ startDate: '2026-05-21T11:12:34+03:00' });
    expect(applyInput(planned, plan('2026-05-22T11:00:00+03:00', undefined, 2), TENDERING_BEGINS).events).toEqual([]);
    expect(applyInput(inQualification(), good, TENDERING_ENDS).events).toEqual([]);
  });

  it('sets the start of one lot', () => {
    const state = applyInput(
      tendering(tenderWithLots()),
      plan('2026-05-21T11:12:34+03:00', LOT_2),
      TENDERING_BEGINS,
    ).state;
    expect(state.document.lots?.map((lot) => lot.auctionPeriod?.startDate)).toEqual([
      undefined,
      '2026-05-21T11:12:34+03:00',
    ]);
    expect(applyInput(state, plan('2026-05-21T11:12:34+03:00'), TENDERING_BEGINS).events).toEqual([]);
  });

  it.each(['chronograph', 'Administrator'] as const)('%s sets and removes the start by PATCH', (who) => {
    const options = { actor: ACTORS[who], now: TENDERING_BEGINS };
    const set = patch(
      tendering(tender),
      { auctionPeriod: { startDate: '2026-05-25T12:00:00+03:00', shouldStartAfter: '2026-05-21' } },
      options,
    );
    expect(set.state.document.auctionPeriod).toEqual({ startDate: '2026-05-25T12:00:00+03:00' });
    const cleared = patch(set.state, { auctionPeriod: { startDate: null } }, options);
    expect(cleared.state.document).not.toHaveProperty('auctionPeriod', expect.anything());
    const lots = patch(
      tendering(tenderWithLots()),
      { lots: [{}, { auctionPeriod: { startDate: '2026-05-25T12:00:00+03:00' } }] },
      options,
    );
    expect(lots.state.document.lots?.map((lot) => lot.auctionPeriod)).toEqual([
      undefined,
      { startDate: '2026-05-25T12:00:00+03:00' },
    ]);
  });

  it('the owner cannot set the start', () => {
    const result = patch(tendering(tender), { auctionPeriod: { startDate: '2026-05-25' } }, { now: TENDERING_BEGINS });
    expect(result.events).toEqual([]);
  });
});

describe('row 8: EndAuction and PublishAuction (bids-awards-auction.md 2.3, 2.5, 2.6)', () => {
  const at = AUCTION_ENDED_AT;
  const reported = parseInstant(at);
  const [end, both] = [endAuctionInput, OPEN_TWO_BIDS];

  it('without lots: shows bids, awards, status and the end of the auction together', () => {
    const auction = withSealedBids(tender, [], []).state;
    const ended = applyInput(auction, end(), reported);
    expect([types(ended.events), ended.state.document]).toEqual([
      ['TenderChanged', 'QualificationDue'],
      auction.document,
    ]);
    const open = applyInput(ended.state, both, reported).state;
    expect(open.document).toEqual(auction.document);
    const { document } = applyInput(open, awardsInput(open, [award('a1', 'pending')]), reported).state;
    expect(document).toMatchObject({ status: 'active.qualification', auctionPeriod: { endDate: at } });
  });

  it('with lots: shows the end of an auction at once, and the last end together with bids and awards', () => {
    const auction = withSealedBids(tenderWithLots(), [LOT_1, LOT_2], [LOT_1, LOT_2]).state;
    const first = applyInput(auction, end(LOT_1), reported);
    expect(types(first.events)).toEqual(['TenderChanged']);
    const ends = (state: TenderState) => state.document.lots?.map((lot) => lot.auctionPeriod?.endDate);
    expect([statusOf(first.state), ends(first.state)]).toEqual(['active.auction', [at, undefined]]);
    const last = applyInput(first.state, end(LOT_2), reported).state;
    expect([last.bidding.phase, ends(last)]).toEqual(['opening', [at, undefined]]);
    const open = applyInput(last, both, reported).state;
    const awarded = applyInput(open, awardsInput(open, [award('a1', 'pending', { lotID: LOT_1 })]), reported).state;
    expect([statusOf(awarded), ends(awarded)]).toEqual(['active.qualification', [at, at]]);
  });

  it('ignores a repeated report, and one outside active.auction', () => {
    const auction = withSealedBids(tender, [], []).state;
    const ended = applyInput(auction, end(), reported).state;
    expect(applyInput(ended, end(), reported).events).toEqual([]);
    expect(applyInput(inStatus(auction, 'cancelled'), end(), reported).events).toEqual([]);
    expect(applyInput(tendering(tender), end(), reported).events).toEqual([]);
  });

  it('sets the address at the tender or at its lot', () => {
    const auctionUrl = 'https://auction.example.org/1';
    const published = { type: 'PublishAuction', auctionUrl, version: 1 } as const;
    const whole = applyInput(withSealedBids(tender, [], []).state, published, reported).state;
    expect(whole.document.auctionUrl).toBe(auctionUrl);
    const lotted = withSealedBids(tenderWithLots(), [LOT_1, LOT_2], [LOT_1, LOT_2]).state;
    const { document } = applyInput(lotted, { ...published, lot: LOT_2 }, reported).state;
    expect(document.lots?.map((lot) => lot.auctionUrl)).toEqual([undefined, auctionUrl]);
    expect(applyInput(tender, published, reported).events).toEqual([]);
  });
});

describe('PATCH by the chronograph (tenders.md 1.7, 8.2)', () => {
  it('runs one step of the clock; none when nothing is due', () => {
    const options = { actor: ACTORS.chronograph, now: hours(10_000) };
    const first = patch(tender, { id: tender.id }, options);
    expect(statusOf(first.state)).toBe('active.tendering');
    expect(types(patch(first.state, { id: tender.id }, options).events)).toEqual(['TenderChanged', 'TenderingEnded']);
    expect(patch(tender, { id: tender.id }, { actor: ACTORS.chronograph }).events).toEqual([]);
  });

  it('is the only PATCH that runs the clock', () => {
    for (const who of ['owner', 'Administrator'] as const) {
      expect(patch(tender, { id: tender.id }, { actor: ACTORS[who], now: hours(10_000) }).events).toEqual([]);
    }
  });
});

describe('PATCH of the status: every actor, every pair of statuses (tenders.md 1.7, 8.2 row 19)', () => {
  const ROLE = {
    owner: 'owner',
    admins: 'owner',
    Administrator: 'Administrator',
    chronograph: 'chronograph',
    complainant: 403,
    otherBroker: 403,
    wrongBroker: 403,
    reviewer: 403,
    auction: 403,
    anonymous: 401,
  } as const;

  /** The status after a PATCH of `from` to `to`, or the status code of the refusal. */
  function expectation(who: keyof typeof ROLE, from: TenderStatus, to: TenderStatus): TenderStatus | 401 | 403 {
    const role = ROLE[who];
    if (typeof role === 'number') return role;
    if (role === 'Administrator') return to;
    if (role === 'owner' && from === to) return to;
    if (FINAL.has(from)) return 403;
    if (role === 'owner' && from === 'draft') return to === 'active.enquiries' ? to : 403;
    return from;
  }

  // Safe cast: the keys of a constant object are the keys of its type.
  const actors = Object.keys(ROLE) as (keyof typeof ROLE)[];

  it.each(actors.flatMap((who) => STATUSES.map((from) => [who, from] as const)))('%s in %s', (who, from) => {
    for (const to of STATUSES) {
      const result = patch(inStatus(tender, from), { status: to }, { actor: ACTORS[who] });
      expect(result.refused?.status ?? statusOf(result.state), `to ${to}`).toBe(expectation(who, from, to));
    }
  });
});

describe('TENDER_TRANSITIONS', () => {
  it('holds every row of tenders.md 8.2 that changes a status', () => {
    const rows = new Set(TENDER_TRANSITIONS.map((row) => row.row));
    expect([...rows].sort((a, b) => a - b)).toEqual([3, 4, 5, 6, 7, 8, 10, 12, 13, 15, 17, 18]);
  });

  type Step = (state: TenderState, at: number) => TenderState;
  const steps: readonly Step[] = [
    (state, at) => tick(state, hours(at)).state,
    (state, at) => applyInput(state, { type: 'SealBids', bids: bids([LOT_1, LOT_2], [LOT_1]) }, hours(at)).state,
    (state, at) => applyInput(state, { type: 'SealBids', bids: bids([LOT_1]) }, hours(at)).state,
    (state, at) => applyInput(state, { type: 'SealBids', bids: [] }, hours(at)).state,
    (state, at) => applyInput(state, opened, hours(at)).state,
    (state, at) => applyInput(state, awardsInput(state, [award('a1', 'pending', { lotID: LOT_1 })]), hours(at)).state,
    (state, at) => applyInput(state, awardsInput(state, [award('a1', 'active', { lotID: LOT_1 })]), hours(at)).state,
    (state, at) => {
      const complaintPeriod = { endDate: '2026-05-22T18:00:00+03:00' };
      return applyInput(
        state,
        awardsInput(state, [award('a1', 'unsuccessful', { lotID: LOT_1, complaintPeriod })]),
        hours(at),
      ).state;
    },
    (state, at) => patch(state, { status: 'active.enquiries' }, { now: hours(at) }).state,
    (state, at) => patch(state, { id: state.id }, { actor: ACTORS.chronograph, now: hours(at) }).state,
    (state, at) =>
      add(state, 'AddCancellation', { reason: 'x', status: 'active', relatedLot: LOT_1 }, { now: hours(at) }).state,
    (state, at) =>
      add(state, 'AddCancellation', { reason: 'x', status: 'active', relatedLot: LOT_2 }, { now: hours(at) }).state,
    (state, at) => add(state, 'AddCancellation', { reason: 'x', status: 'active' }, { now: hours(at) }).state,
  ];

  it('holds every change of status in random sequences of commands, none from a final status', () => {
    const sequence = fc.array(fc.tuple(fc.nat(steps.length - 1), fc.nat(24)), { maxLength: 40 });
    fc.assert(
      fc.property(sequence, fc.boolean(), fc.boolean(), (moves, isLotted, isDraft) => {
        const draft = isDraft ? { status: 'draft' } : {};
        let state = isLotted ? tenderWithLots(draft) : newTender(draft);
        let at = 0;
        for (const [which, wait] of moves) {
          at += wait;
          const before = statusOf(state);
          // Safe cast: the index is below the length of the list.
          state = (steps[which] as Step)(state, at);
          const after = statusOf(state);
          if (before === after) continue;
          expect(FINAL.has(before)).toBe(false);
          expect(
            TENDER_TRANSITIONS.some((row) => row.from.includes(before) && row.to === after),
            `${before} to ${after}`,
          ).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('allowed operations by status (tenders.md 8.4)', () => {
  it.each(STATUSES)('%s', (status) => {
    const asked = add(
      tender,
      'AskQuestion',
      { author: AUTHOR, title: 'x' },
      { actor: ACTORS.otherBroker, id: '8' },
    ).state;
    const filed = add(
      asked,
      'FileComplaint',
      { author: AUTHOR, title: 'x', status: 'claim' },
      { actor: ACTORS.complainant },
    ).state;
    const state = inStatus(filed, status);
    const open = {
      edit: refusalOf(patch(state, { title: 'y' })) === undefined && patch(state, { title: 'y' }).events.length > 0,
      ask:
        add(state, 'AskQuestion', { author: AUTHOR, title: 'x' }, { actor: ACTORS.otherBroker }).refused === undefined,
      answer: change(state, 'AnswerQuestion', padId('8'), { answer: 'x' }).refused === undefined,
      claim:
        add(state, 'FileComplaint', { author: AUTHOR, title: 'x' }, { actor: ACTORS.complainant, id: '7' }).refused ===
        undefined,
      act: change(state, 'ChangeComplaint', padId('9'), { resolution: 'x' }).refused === undefined,
      cancel: add(state, 'AddCancellation', { reason: 'x' }).refused === undefined,
    };
    const active = status.startsWith('active.');
    const window = status === 'active.enquiries' || status === 'active.tendering';
    const enquiries = status === 'active.enquiries';
    expect(open).toEqual({
      edit: enquiries,
      ask: enquiries,
      answer: enquiries,
      claim: window,
      act: active,
      cancel: !FINAL.has(status),
    });
  });
});
