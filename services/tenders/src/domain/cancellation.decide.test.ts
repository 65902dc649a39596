import { describe, expect, it } from 'vitest';
import {
  add,
  award,
  awardsInput,
  endAuctionInput,
  withCancelledLot,
  change,
  applyInput,
  hours,
  inStatus,
  tenderWithLots,
  newTender,
  inQualification,
  withSealedBids,
  TENDERING_ENDS,
  type CommandOptions,
  type Data,
} from '../../test-support/run-command.ts';
import { FINAL, STATUSES } from '../../test-support/statuses.ts';
import type { StoredLot } from '@procurement/contracts/resources/tender';
import { ACTORS } from '@procurement/testing/actors';
import { padId, LOT_1, LOT_2 } from '@procurement/testing/ids';
import { FORBIDDEN, ROLE_FORBIDDEN, refusalOf, REQUIRED, UNAUTHORIZED } from '@procurement/testing/refusals';
import type { TenderState } from './tender.ts';

const tender = newTender();
const LATER = '2026-05-04T11:15:00.120034+03:00';

function cancel(state: TenderState, data: Data = {}, options: CommandOptions = {}) {
  return add(state, 'AddCancellation', { reason: 'Потреба відпала', ...data }, options);
}

function activate(state: TenderState, data: Data = { status: 'active' }, options: CommandOptions = {}) {
  return change(state, 'ChangeCancellation', padId('9'), data, options);
}

const ofLot = (relatedLot: string): Data => ({ status: 'active', cancellationOf: 'lot', relatedLot });

describe('AddCancellation (tenders.md 14)', () => {
  it('stores a pending cancellation, which changes nothing else', () => {
    const { state, events } = cancel(tender, { reason_en: 'No need', date: '2020-01-01' }, { now: hours(1) });
    expect(state.document.cancellations).toEqual([
      {
        id: padId('9'),
        reason: 'Потреба відпала',
        reason_en: 'No need',
        status: 'pending',
        cancellationOf: 'tender',
        date: LATER,
      },
    ]);
    expect([state.document.status, events.length]).toEqual(['active.enquiries', 1]);
  });

  it('allows several pending cancellations', () => {
    const two = cancel(cancel(tender).state, {}, { id: '8' }).state;
    expect(two.document.cancellations).toHaveLength(2);
  });

  it.each([
    ['no reason', { reason: undefined }, 'reason', REQUIRED],
    ['about a lot without relatedLot', { cancellationOf: 'lot' }, 'relatedLot', REQUIRED],
    ['an unknown lot', { relatedLot: 'e'.repeat(32) }, 'relatedLot', ['relatedLot should be one of lots']],
    ['another status', { status: 'done' }, 'status', ["Value must be one of ['pending', 'active']."]],
    ['an unknown member', { foo: 1 }, 'foo', 'Rogue field'],
  ])('422: %s', (_what, data, name, description) => {
    expect(cancel(tender, data).refused?.errors).toEqual([{ location: 'body', name, description }]);
  });

  it.each(STATUSES)('in %s: allowed unless the status is final', (status) => {
    const text = `Can't add cancellation in current (${status}) tender status`;
    expect(refusalOf(cancel(inStatus(tender, status)))).toEqual(FINAL.has(status) ? [403, 'data', text] : undefined);
  });

  it('403: the lot is not active', () => {
    expect(refusalOf(cancel(withCancelledLot(tenderWithLots(), LOT_1), ofLot(LOT_1)))).toEqual([
      403,
      'data',
      'Can add cancellation only in active lot status',
    ]);
  });

  it.each([
    ['anonymous', ACTORS.anonymous, UNAUTHORIZED],
    ['another broker', ACTORS.otherBroker, FORBIDDEN],
    ['the token with another broker', ACTORS.wrongBroker, FORBIDDEN],
    ['the chronograph', ACTORS.chronograph, FORBIDDEN],
    ['the reviewer', ACTORS.reviewer, FORBIDDEN],
    ['the Administrator', ACTORS.Administrator, ROLE_FORBIDDEN],
    ['admins', ACTORS.admins, undefined],
  ])('by %s', (_who, actor, expected) => {
    expect(refusalOf(cancel(tender, {}, { actor }))).toEqual(expected);
  });
});

describe('ChangeCancellation (tenders.md 14)', () => {
  const pending = cancel(tender).state;

  it('changes the status only, and sets the date each time', () => {
    const result = activate(pending, { reason: 'інша', status: 'pending' }, { now: hours(1) });
    expect(result.state.document.cancellations?.[0]).toMatchObject({ reason: 'Потреба відпала', date: LATER });
    expect(activate(pending, {}, { now: hours(1) }).events).toHaveLength(1);
  });

  it.each(STATUSES)('in %s: allowed unless the status is final', (status) => {
    const text = `Can't update cancellation in current (${status}) tender status`;
    expect(refusalOf(activate(inStatus(pending, status)))).toEqual(FINAL.has(status) ? [403, 'data', text] : undefined);
  });

  it('403: the lot is not active', () => {
    const state = withCancelledLot(cancel(tenderWithLots(), { ...ofLot(LOT_1), status: 'pending' }).state, LOT_1);
    expect(refusalOf(activate(state))).toEqual([403, 'data', 'Can update cancellation only in active lot status']);
  });

  it.each([
    ['anonymous', ACTORS.anonymous, UNAUTHORIZED],
    ['another broker', ACTORS.otherBroker, FORBIDDEN],
    ['the Administrator', ACTORS.Administrator, ROLE_FORBIDDEN],
  ])('refuses %s', (_who, actor, expected) => {
    expect(refusalOf(activate(pending, undefined, { actor }))).toEqual(expected);
  });

  it('404: the cancellation does not exist', () => {
    expect(refusalOf(activate(tender))).toEqual([404, 'cancellation_id', 'Not Found']);
  });
});

describe('an active cancellation of the tender (tenders.md 8.2 row 17, 14)', () => {
  it.each(STATUSES.filter((status) => !FINAL.has(status)))(
    'from %s: cancels the tender and erases unopened bids',
    (status) => {
      const { state, events } = activate(inStatus(cancel(tender).state, status), undefined, { now: hours(1) });
      expect(state.document).toMatchObject({ status: 'cancelled', date: LATER });
      const erasesBids = status === 'active.tendering' || status === 'active.auction';
      expect(events.slice(1)).toEqual([{ type: 'TenderCancelled', erasesBids }]);
    },
  );

  it('takes effect when it is created as active', () => {
    expect(cancel(tender, { status: 'active' }).state.document.status).toBe('cancelled');
  });

  it('does not change lots, awards and bids', () => {
    const before = inQualification();
    const after = cancel(before, { status: 'active' }).state;
    expect(after.awards).toEqual(before.awards);
    expect(after.bids).toEqual(before.bids);
    expect(cancel(tenderWithLots(), { status: 'active' }).state.document.lots?.map((lot) => lot.status)).toEqual([
      'active',
      'active',
    ]);
  });
});

describe('an active cancellation of a lot (tenders.md 8.2 rows 9, 17, 18, 14)', () => {
  function withLots(...statuses: readonly StoredLot['status'][]): TenderState {
    const state = tenderWithLots();
    const lots = state.document.lots?.map((lot, n) => ({ ...lot, status: statuses[n] ?? 'active' }));
    return { ...state, document: { ...state.document, lots } };
  }

  it.each([
    [['active', 'active'], 'active.enquiries'],
    [['active', 'cancelled'], 'cancelled'],
    [['active', 'unsuccessful'], 'unsuccessful'],
    [['active', 'complete'], 'complete'],
  ] as const)('of the first lot of %j: the tender becomes %s', (statuses, expected) => {
    const { state } = cancel(withLots(...statuses), ofLot(LOT_1), { now: hours(1) });
    expect(state.document.lots?.[0]).toMatchObject({ status: 'cancelled', date: LATER });
    expect(state.document.status).toBe(expected);
  });

  it('cancels the lot in relatedLot, even with cancellationOf: tender', () => {
    const { state } = cancel(tenderWithLots(), { status: 'active', relatedLot: LOT_1 });
    expect(state.document.lots?.map((lot) => lot.status)).toEqual(['cancelled', 'active']);
    expect(state.document.status).toBe('active.enquiries');
  });

  it('erases unopened bids when no lot is left', () => {
    const state = inStatus(withLots('active', 'cancelled'), 'active.tendering');
    expect(cancel(state, ofLot(LOT_1)).events.at(-1)).toEqual({ type: 'TenderCancelled', erasesBids: true });
  });

  it('row 9: requests awards when no auction is left', () => {
    const auction = withSealedBids(tenderWithLots(), [LOT_1, LOT_2], [LOT_1]).state;
    expect(auction.document.status).toBe('active.auction');
    const { state, events } = cancel(auction, ofLot(LOT_1), { now: TENDERING_ENDS });
    expect(events.map((event) => event.type)).toEqual(['TenderChanged', 'QualificationDue']);
    expect([state.document.status, state.bidding.phase]).toEqual(['active.auction', 'opening']);
    const opened = applyInput(
      state,
      { type: 'OpenBids', bids: [{ id: padId('b0') }, { id: padId('b1') }] },
      TENDERING_ENDS,
    );
    const awarded = applyInput(
      opened.state,
      awardsInput(opened.state, [award('a1', 'pending', { lotID: LOT_2 })]),
      TENDERING_ENDS,
    );
    expect(awarded.state.document.status).toBe('active.qualification');
  });

  it.each([
    ['without an award', []],
    ['with an award that was decided before', [award('a1', 'pending', { lotID: LOT_2 })]],
  ])('row 18: the only lot with a bid, while its bid is opened, %s: the tender is unsuccessful', (_, awards) => {
    const opening = withSealedBids(tenderWithLots(), [LOT_2]).state;
    const { state: cancelled } = cancel(opening, ofLot(LOT_2), { now: TENDERING_ENDS });
    expect([cancelled.document.status, cancelled.bidding.phase]).toEqual(['active.tendering', 'opening']);
    const opened = applyInput(cancelled, { type: 'OpenBids', bids: [{ id: padId('b0') }] }, TENDERING_ENDS).state;
    const { document } = applyInput(opened, awardsInput(opened, awards), TENDERING_ENDS).state;
    expect([document.status, document.lots?.map((lot) => lot.status)]).toEqual([
      'unsuccessful',
      ['unsuccessful', 'cancelled'],
    ]);
    expect(document).not.toHaveProperty('awardPeriod');
  });

  it('changes nothing else while another lot has an auction', () => {
    const auction = withSealedBids(tenderWithLots(), [LOT_1, LOT_2], [LOT_1, LOT_2]).state;
    const { state, events } = cancel(auction, ofLot(LOT_1));
    expect([state.document.status, events.length]).toEqual(['active.auction', 1]);
  });
});

describe('results of a cancelled lot', () => {
  it('leave it as it is, when they arrive after the cancellation', () => {
    const auction = withSealedBids(tenderWithLots(), [LOT_1, LOT_2], [LOT_1, LOT_2]).state;
    const { state } = cancel(auction, ofLot(LOT_1), { now: TENDERING_ENDS });
    expect(applyInput(state, endAuctionInput(LOT_1), TENDERING_ENDS).events).toEqual([]);
    expect(applyInput(state, endAuctionInput(LOT_2), TENDERING_ENDS).state.bidding.phase).toBe('opening');
  });
});

describe('ChangeCancellation with the present status (rulings R27)', () => {
  it('has no effect, also after the tender was cancelled', () => {
    const cancelled = cancel(tender, { status: 'active' });
    const repeated = change(cancelled.state, 'ChangeCancellation', padId('9'), { status: 'active' });
    expect([repeated.refused, repeated.events]).toEqual([undefined, []]);
  });
});
