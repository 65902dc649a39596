import { ACTORS } from '@procurement/testing/actors';
import { padId, LOT_1, LOT_2 } from '@procurement/testing/ids';
import { describe, expect, it } from 'vitest';
import {
  bid,
  tenderFacts,
  hours,
  lots,
  bidForLots,
  tenderFactsWithLots,
  money,
  NOW_TEXT,
  openBids,
  withOpenedBids,
  party,
  patchAward,
  postAward,
  statuses,
  newAwarding,
} from '../../test-support/run-command.ts';

const winner = (state: ReturnType<typeof withOpenedBids>) => state.awards.at(-1)?.bid_id;

describe('withNextAwards (bids-awards-auction.md 3.3)', () => {
  it('adds a pending award for the lowest price, with value and tenderers of the bid', () => {
    const state = withOpenedBids([bid('b1', 400), bid('b2', 390)]);
    expect(state.awards).toEqual([
      {
        id: padId('e1'),
        bid_id: padId('b2'),
        status: 'pending',
        date: NOW_TEXT,
        value: money(390),
        suppliers: [party('b2')],
        complaintPeriod: { startDate: NOW_TEXT },
      },
    ]);
  });

  it('ranks equal prices by instant of the date, then by order of registration', () => {
    const later = bid('b1', 390, { date: '2017-02-16T11:31:40+02:00' });
    const earlier = bid('b2', 390, { date: '2017-02-16T10:29:50+01:00' });
    const sooner = bid('b3', 390, { date: '2017-02-16T11:29:50+02:00' });
    expect(winner(withOpenedBids([later, earlier, sooner]))).toBe(padId('b2'));
    expect(winner(withOpenedBids([later, sooner, earlier]))).toBe(padId('b3'));
  });

  describe('with features (bids-awards-auction.md 2.12, 6.6)', () => {
    const features = [
      { code: 'F1', featureOf: 'item', relatedItem: 'first', enum: [{ value: 0.1 }, { value: 0.15 }] },
      { code: 'F2', featureOf: 'tenderer', enum: [{ value: 0.05 }, { value: 0.1 }, { value: 0.15 }] },
    ];
    const offer = (tail: string, amount: number, ...values: readonly [number, number]) =>
      bid(tail, amount, { parameters: values.map((value, n) => ({ code: `F${n + 1}`, value })) });

    it.each([
      [469, 479, 'b2'],
      [364, 409, 'b1'],
      [459, 459, 'b2'],
    ])('ranks %d and %d by normalized amount, and awards the plain amount', (x, y, expected) => {
      const state = withOpenedBids([offer('b1', x, 0.1, 0.1), offer('b2', y, 0.15, 0.15)], tenderFacts({ features }));
      expect(winner(state)).toBe(padId(expected));
      expect(state.awards[0]?.value?.amount).toBe(expected === 'b1' ? x : y);
    });

    it('compares normalized amounts exactly: 450 ranks before 500, although its date is later', () => {
      const first = { ...offer('b1', 450, 0.1, 0.1), date: '2017-02-16T12:00:00+02:00' };
      const second = { ...offer('b2', 500, 0.15, 0.15), date: '2017-02-16T10:00:00+02:00' };
      expect(winner(withOpenedBids([second, first], tenderFacts({ features })))).toBe(padId('b1'));
    });
  });

  it('adds one award per active lot in order of lots, ranked by value and date of the lot', () => {
    const x = bidForLots('b1', 400, 420);
    const y = bidForLots('b2', 410, 380);
    const state = withOpenedBids([x, y], tenderFactsWithLots());
    expect(state.awards.map(({ lotID, bid_id, value }) => [lotID, bid_id, value?.amount])).toEqual([
      [LOT_1, padId('b1'), 400],
      [LOT_2, padId('b2'), 380],
    ]);
    const equal = [bidForLots('b1', 400), bidForLots('b2', 400)].map((one, n) => ({
      ...one,
      date: `2017-02-16T1${n}:00:00+02:00`,
      lotValues: one.lotValues?.map((value) => ({ ...value, date: `2017-02-16T1${5 - n}:00:00+02:00` })),
    }));
    expect(withOpenedBids(equal, tenderFactsWithLots()).awards[0]?.bid_id).toBe(padId('b2'));
  });

  it('adds none for an inactive lot or a lot without bids', () => {
    expect(
      withOpenedBids([bidForLots('b1', 400, 420)], tenderFactsWithLots({ lots: lots('active', 'cancelled') })).awards,
    ).toHaveLength(1);
    expect(withOpenedBids([bidForLots('b1', 400)], tenderFactsWithLots()).awards).toHaveLength(1);
  });

  it('excludes bids with an unsuccessful award, but not bids with a cancelled one', () => {
    const state = withOpenedBids([bidForLots('b1', 400, 420), bidForLots('b2', 410)], tenderFactsWithLots());
    const second = patchAward(state, 0, { status: 'unsuccessful' }).state;
    expect([second.awards[2]?.bid_id, second.awards[1]?.status]).toEqual([padId('b2'), 'pending']);
    const active = patchAward(second, 2, { status: 'active' }).state;
    const cancelled = patchAward(active, 2, { status: 'cancelled' }).state;
    expect([statuses(cancelled), cancelled.awards[3]?.bid_id]).toEqual([
      ['unsuccessful', 'pending', 'cancelled', 'pending'],
      padId('b2'),
    ]);
    const noneLeft = patchAward(cancelled, 3, { status: 'unsuccessful' }).state;
    expect(noneLeft.awards).toHaveLength(4);
  });
});

describe('OpenBids', () => {
  it('emits nothing when repeated, also with other bids', () => {
    const state = withOpenedBids([bid('b1', 400)]);
    expect(openBids(state, [bid('b1', 400)]).events).toEqual([]);
    expect(openBids(state, [bid('b2', 300)]).events).toEqual([]);
  });

  it('emits an event without awards too, because the tender waits for it', () => {
    const { events, state } = openBids(newAwarding(), []);
    expect([events.length, state.version, state.awards, state.bids]).toEqual([1, 1, [], []]);
  });

  it('keeps an award that was posted before (rulings R3)', () => {
    const early = { actor: { ...ACTORS.owner, segment: '0' }, settings: { legacyGuardsOpen: true }, now: hours(-24) };
    const tendering = newAwarding(tenderFacts({ status: 'active.tendering' }));
    const posted = postAward(tendering, { suppliers: [party('b7')], status: 'pending' }, early).state;
    const { state, events } = openBids(posted, [bid('b1', 400)]);
    expect([statuses(state), events.length, state.awards[0]?.bid_id]).toEqual([['pending'], 1, undefined]);
  });
});
