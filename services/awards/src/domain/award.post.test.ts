import { TENDER_STATUSES } from '@procurement/contracts/resources/tender';
import { ACTORS, type ActorName } from '@procurement/testing/actors';
import { padId, LOT_1, LOT_2 } from '@procurement/testing/ids';
import { FORBIDDEN, refusalOf, REQUIRED, UNAUTHORIZED } from '@procurement/testing/refusals';
import { describe, expect, it } from 'vitest';
import {
  awardAt,
  newAwarding,
  bid,
  STAND_STILL_END,
  tenderFacts,
  hours,
  lots,
  bidForLots,
  tenderFactsWithLots,
  money,
  NOW_TEXT,
  withOpenedBids,
  party,
  patchAward,
  postAward,
  statuses,
  withTender,
  type Data,
} from '../../test-support/run-command.ts';
import type { Awarding } from './awarding.ts';

const state = withOpenedBids([bid('b1', 390), bid('b2', 400)]);
const admins = { actor: ACTORS.admins };
const early = { actor: { ...ACTORS.owner, segment: '2.3' } };
const unguarded = { ...early, settings: { legacyGuardsOpen: true } };

describe('PostAward in 2.5 (bids-awards-auction.md 3.8)', () => {
  const posted = { suppliers: [party('b9')], bid_id: padId('b9') };

  it('adds a pending award beside the others and ignores the posted status', () => {
    const data = {
      ...posted,
      status: 'active',
      value: { amount: 5 },
      title: 'x',
      complaintPeriod: { endDate: NOW_TEXT },
    };
    const result = postAward(state, { ...data, id: padId('7') }, admins);
    expect([statuses(result.state), result.state.contracts]).toEqual([['pending', 'pending'], []]);
    expect(awardAt(result.state, 1)).toEqual({
      id: padId('9'),
      bid_id: padId('b9'),
      status: 'pending',
      date: NOW_TEXT,
      value: money(5),
      suppliers: [party('b9')],
      title: 'x',
      complaintPeriod: { startDate: NOW_TEXT },
    });
  });

  it.each<[ActorName, readonly unknown[] | undefined]>([
    ['admins', undefined],
    ['owner', FORBIDDEN],
    ['Administrator', FORBIDDEN],
    ['chronograph', FORBIDDEN],
    ['anonymous', UNAUTHORIZED],
  ])('by %s', (name, expected) => {
    expect(refusalOf(postAward(state, posted, { actor: ACTORS[name] }))).toEqual(expected);
  });

  it.each(TENDER_STATUSES)(
    'is accepted in qualification only, also with open legacy guards; tender in %s',
    (status) => {
      const result = postAward(withTender(state, { status }), posted, {
        ...admins,
        settings: { legacyGuardsOpen: true },
      });
      const text = `Can't create award in current (${status}) tender status`;
      expect(refusalOf(result)).toEqual(status === 'active.qualification' ? undefined : [403, 'data', text]);
    },
  );

  it.each<[string, Data, string, unknown]>([
    ['no supplier', { suppliers: undefined }, 'suppliers', REQUIRED],
    ['two suppliers', { suppliers: [party('1'), party('2')] }, 'suppliers', ['Please provide no more than 1 item.']],
    ['no bid', { bid_id: undefined }, 'bid_id', REQUIRED],
    ['an unknown member', { foo: 1 }, 'foo', 'Rogue field'],
    ['an unknown lot', { lotID: LOT_1 }, 'lotID', ['lotID should be one of lots']],
  ])('422: %s', (_case, data, name, description) => {
    expect(postAward(state, { ...posted, ...data }, admins).refused?.errors).toEqual([
      { location: 'body', name, description },
    ]);
  });

  it('requires an active lot when the tender has lots', () => {
    const lotted = newAwarding(tenderFactsWithLots({ lots: lots('active', 'unsuccessful') }));
    expect(refusalOf(postAward(lotted, posted, admins))).toEqual([422, 'lotID', REQUIRED]);
    expect(refusalOf(postAward(lotted, { ...posted, lotID: LOT_2 }, admins))).toEqual([
      403,
      'data',
      'Can create award only in active lot status',
    ]);
    expect(awardAt(postAward(lotted, { ...posted, lotID: LOT_1 }, admins).state, 0).lotID).toBe(LOT_1);
  });
});

describe('PostAward by older segments (bids-awards-auction.md 3.8)', () => {
  const supplier = { name: 'ТОВ b1', identifier: { scheme: 'UA-EDR', id: 'b1' } };
  const posted = { suppliers: [supplier] };

  it.each([
    ['found by the identifier of the tenderer', posted],
    ['found by bid_id', { suppliers: [{ ...supplier, identifier: { scheme: 'x' } }], bid_id: padId('b1') }],
  ])('adopts the existing award of the same bid, %s', (_case, data) => {
    const result = postAward(state, { ...data, status: 'active', title: 'x', value: { amount: 1 } }, early);
    expect(result.events[0]?.awardId).toBe(awardAt(state, 0).id);
    expect(result.state.awards).toEqual([
      {
        ...awardAt(state, 0),
        status: 'active',
        title: 'x',
        date: NOW_TEXT,
        complaintPeriod: { startDate: NOW_TEXT, endDate: STAND_STILL_END },
      },
    ]);
    expect(result.state.contracts).toHaveLength(1);
  });

  it('unsuccessful: adds the next award, as after a PATCH', () => {
    const result = postAward(state, { ...posted, status: 'unsuccessful' }, early);
    expect([statuses(result.state), awardAt(result.state, 1).bid_id]).toEqual([
      ['unsuccessful', 'pending'],
      padId('b2'),
    ]);
  });

  it('pending (the default): changes texts only', () => {
    const result = postAward(state, { ...posted, description: 'x' }, { ...early, now: hours(5) });
    expect(result.state.awards).toEqual([{ ...awardAt(state, 0), description: 'x' }]);
  });

  it('refuses the status cancelled, with the values that this segment permits', () => {
    expect(refusalOf(postAward(state, { ...posted, status: 'cancelled' }, early))).toEqual([
      422,
      'status',
      ["Value must be one of ['pending', 'unsuccessful', 'active']."],
    ]);
  });

  it.each<[ActorName, readonly unknown[] | undefined]>([
    ['owner', undefined],
    ['admins', undefined],
    ['chronograph', FORBIDDEN],
    ['bidder', FORBIDDEN],
    ['anonymous', UNAUTHORIZED],
  ])('by %s', (name, expected) => {
    expect(refusalOf(postAward(state, posted, { actor: { ...ACTORS[name], segment: '0.1' } }))).toEqual(expected);
  });

  describe('while another award is pending', () => {
    const another = { suppliers: [party('b2')], status: 'active' };
    const replaced: readonly [string[], string | undefined] = [['cancelled', 'active'], padId('b2')];
    const outcome = (result: { state: Awarding }) => [statuses(result.state), awardAt(result.state, -1).bid_id];

    it('is refused under strict guards', () => {
      expect(refusalOf(postAward(state, another, early))).toEqual([
        403,
        'data',
        "Can't create new award while any (pending) award exists",
      ]);
    });

    it('cancels it under open guards and adds the posted one with the value of its bid', () => {
      const result = postAward(state, another, unguarded);
      expect(outcome(result)).toEqual(replaced);
      expect(awardAt(result.state, 0).complaintPeriod?.endDate).toBe(NOW_TEXT);
      expect(awardAt(result.state, 1)).toMatchObject({ id: padId('9'), value: money(400), suppliers: [party('b2')] });
      expect(result.state.contracts).toHaveLength(1);
    });

    it('cancels it in the sandbox for test tenders only', () => {
      const sandbox = { ...early, settings: { sandbox: true } };
      expect(outcome(postAward(withTender(state, { mode: 'test' }), another, sandbox))).toEqual(replaced);
      expect(postAward(state, another, sandbox).refused?.code).toBe('award.add-another');
    });

    it('never replaces an active award, also under open guards', () => {
      const active = patchAward(state, 0, { status: 'active' }).state;
      expect(refusalOf(postAward(active, another, unguarded))).toEqual([
        403,
        'data',
        "Can't create new award while any (active) award exists",
      ]);
    });
  });

  it('is accepted on a fresh tender under open guards, with the body of interface.md (rulings R3, R13)', () => {
    const fresh = newAwarding(tenderFacts({ status: 'active.enquiries' }));
    const address = { countryName: 'Україна' };
    const data = { status: 'active', suppliers: [{ ...supplier, address }], value: { amount: 469 } };
    const result = postAward(fresh, data, unguarded);
    expect(result.state.awards).toEqual([
      {
        id: padId('9'),
        status: 'active',
        date: NOW_TEXT,
        value: money(469),
        suppliers: [{ ...supplier, address }],
        complaintPeriod: { startDate: NOW_TEXT, endDate: STAND_STILL_END },
      },
    ]);
    expect(result.state.contracts).toMatchObject([{ status: 'pending', value: money(469) }]);
  });

  it.each(TENDER_STATUSES)('is refused by status as the guards demand; tender in %s', (status) => {
    const fresh = newAwarding(tenderFacts({ status }));
    const refusal = [403, 'data', `Can't create award in current (${status}) tender status`];
    const isOver = ['draft', 'complete', 'unsuccessful', 'cancelled'].includes(status);
    expect(refusalOf(postAward(fresh, posted, unguarded))).toEqual(isOver ? refusal : undefined);
    expect(refusalOf(postAward(fresh, posted, early))).toEqual(status === 'active.qualification' ? undefined : refusal);
  });

  it('requires a lot when the tender has lots, and copies the value of the bid for that lot', () => {
    const { awards: _awards, ...lotted } = withOpenedBids([bidForLots('b1', 400, 420)], tenderFactsWithLots());
    const open: Awarding = { ...lotted, awards: [] };
    expect(refusalOf(postAward(open, posted, early))).toEqual([422, 'lotID', REQUIRED]);
    const result = postAward(open, { ...posted, lotID: LOT_2 }, early);
    expect(awardAt(result.state, 0)).toMatchObject({ lotID: LOT_2, bid_id: padId('b1'), value: money(420) });
  });

  it('matches no bid when two tenderers have the same identifier', () => {
    const twice = withOpenedBids([bid('b1', 390), { ...bid('b3', 400), tenderers: [party('b1')] }]);
    const result = postAward(twice, posted, unguarded);
    expect([statuses(result.state), awardAt(result.state, 1).bid_id]).toEqual([['cancelled', 'pending'], undefined]);
  });
});
