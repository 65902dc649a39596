import { describe, expect, it } from 'vitest';
import {
  ACTORS,
  awardAt,
  newAwarding,
  bid,
  STAND_STILL_END,
  tenderFacts,
  FORBIDDEN,
  hours,
  idOf,
  lots,
  LOT_1,
  LOT_2,
  bidForLots,
  tenderFactsWithLots,
  money,
  NOW_TEXT,
  withOpenedBids,
  party,
  patchAward,
  postAward,
  refusalOf,
  REQUIRED,
  statuses,
  TENDER_STATUSES,
  UNAUTHORIZED,
  withTender,
  type ActorName,
  type Data,
} from '../../test-support/run-command.ts';
import type { Awarding } from './awarding.ts';

const state = withOpenedBids([bid('b1', 390), bid('b2', 400)]);
const admins = { actor: ACTORS.admins };
const early = { actor: { ...ACTORS.owner, segment: '2.3' } };
const unguarded = { ...early, settings: { legacyGuardsOpen: true } };

describe('POST in 2.5 (bids-awards-auction.md 3.8)', () => {
  const posted = { suppliers: [party('b9')], bid_id: idOf('b9') };

  it('adds a pending award beside the others, whatever was said', () => {
    const wish = {
      ...posted,
      status: 'active',
      value: { amount: 5 },
      title: 'x',
      complaintPeriod: { endDate: NOW_TEXT },
    };
    const played = postAward(state, { ...wish, id: idOf('7') }, admins);
    expect([statuses(played.state), played.state.contracts]).toEqual([['pending', 'pending'], []]);
    expect(awardAt(played.state, 1)).toEqual({
      id: idOf('9'),
      bid_id: idOf('b9'),
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

  it.each(TENDER_STATUSES)('of a tender in %s, whatever guards older segments have', (status) => {
    const played = postAward(withTender(state, { status }), posted, {
      ...admins,
      settings: { legacyGuardsOpen: true },
    });
    const text = `Can't create award in current (${status}) tender status`;
    expect(refusalOf(played)).toEqual(status === 'active.qualification' ? undefined : [403, 'data', text]);
  });

  it.each<[string, Data, string, unknown]>([
    ['no supplier', { suppliers: undefined }, 'suppliers', REQUIRED],
    ['two suppliers', { suppliers: [party('1'), party('2')] }, 'suppliers', ['Please provide no more than 1 item.']],
    ['no bid', { bid_id: undefined }, 'bid_id', REQUIRED],
    ['an unknown member', { foo: 1 }, 'foo', 'Rogue field'],
    ['a lot that there is not', { lotID: LOT_1 }, 'lotID', ['lotID should be one of lots']],
  ])('422: %s', (_what, data, name, description) => {
    expect(postAward(state, { ...posted, ...data }, admins).refused?.errors).toEqual([
      { location: 'body', name, description },
    ]);
  });

  it('names its lot where there are lots, and one that is active', () => {
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

describe('POST by older segments', () => {
  const supplier = { name: 'ТОВ b1', identifier: { scheme: 'UA-EDR', id: 'b1' } };
  const posted = { suppliers: [supplier] };

  it.each([
    ['by the identifier of its bidder', posted],
    ['by the id of its bid', { suppliers: [{ ...supplier, identifier: { scheme: 'x' } }], bid_id: idOf('b1') }],
  ])('adopts the award that was made for the same bid, %s', (_how, data) => {
    const played = postAward(state, { ...data, status: 'active', title: 'x', value: { amount: 1 } }, early);
    expect(played.events[0]?.awardId).toBe(awardAt(state, 0).id);
    expect(played.state.awards).toEqual([
      {
        ...awardAt(state, 0),
        status: 'active',
        title: 'x',
        date: NOW_TEXT,
        complaintPeriod: { startDate: NOW_TEXT, endDate: STAND_STILL_END },
      },
    ]);
    expect(played.state.contracts).toHaveLength(1);
  });

  it('unsuccessful: the next award follows, as after any decision', () => {
    const played = postAward(state, { ...posted, status: 'unsuccessful' }, early);
    expect([statuses(played.state), awardAt(played.state, 1).bid_id]).toEqual([
      ['unsuccessful', 'pending'],
      idOf('b2'),
    ]);
  });

  it('pending, which it is by default: nothing but the words change', () => {
    const played = postAward(state, { ...posted, description: 'x' }, { ...early, now: hours(5) });
    expect(played.state.awards).toEqual([{ ...awardAt(state, 0), description: 'x' }]);
  });

  it('refuses a status that nobody posts, with the words of this form', () => {
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

  describe('while another award waits', () => {
    const another = { suppliers: [party('b2')], status: 'active' };
    const replaced: readonly [string[], string | undefined] = [['cancelled', 'active'], idOf('b2')];
    const outcome = (played: { state: Awarding }) => [statuses(played.state), awardAt(played.state, -1).bid_id];

    it('strict: is refused', () => {
      expect(refusalOf(postAward(state, another, early))).toEqual([
        403,
        'data',
        "Can't create new award while any (pending) award exists",
      ]);
    });

    it('open: it is cancelled, and the posted one follows with the value of its bid', () => {
      const played = postAward(state, another, unguarded);
      expect(outcome(played)).toEqual(replaced);
      expect(awardAt(played.state, 0).complaintPeriod?.endDate).toBe(NOW_TEXT);
      expect(awardAt(played.state, 1)).toMatchObject({ id: idOf('9'), value: money(400), suppliers: [party('b2')] });
      expect(played.state.contracts).toHaveLength(1);
    });

    it('in the sandbox: for tests only', () => {
      const sandbox = { ...early, settings: { sandbox: true } };
      expect(outcome(postAward(withTender(state, { mode: 'test' }), another, sandbox))).toEqual(replaced);
      expect(postAward(state, another, sandbox).refused?.code).toBe('award.add-another');
    });

    it('an active one stands, also without guards', () => {
      const active = patchAward(state, 0, { status: 'active' }).state;
      expect(refusalOf(postAward(active, another, unguarded))).toEqual([
        403,
        'data',
        "Can't create new award while any (active) award exists",
      ]);
    });
  });

  it('without guards works at once on a fresh tender, with what the interface document shows (rulings R3, R13)', () => {
    const fresh = newAwarding(tenderFacts({ status: 'active.enquiries' }));
    const address = { countryName: 'Україна' };
    const wish = { status: 'active', suppliers: [{ ...supplier, address }], value: { amount: 469 } };
    const played = postAward(fresh, wish, unguarded);
    expect(played.state.awards).toEqual([
      {
        id: idOf('9'),
        status: 'active',
        date: NOW_TEXT,
        value: money(469),
        suppliers: [{ ...supplier, address }],
        complaintPeriod: { startDate: NOW_TEXT, endDate: STAND_STILL_END },
      },
    ]);
    expect(played.state.contracts).toMatchObject([{ status: 'pending', value: money(469) }]);
  });

  it.each(TENDER_STATUSES)('of a tender in %s', (status) => {
    const fresh = newAwarding(tenderFacts({ status }));
    const refusal = [403, 'data', `Can't create award in current (${status}) tender status`];
    const isOver = ['draft', 'complete', 'unsuccessful', 'cancelled'].includes(status);
    expect(refusalOf(postAward(fresh, posted, unguarded))).toEqual(isOver ? refusal : undefined);
    expect(refusalOf(postAward(fresh, posted, early))).toEqual(status === 'active.qualification' ? undefined : refusal);
  });

  it('needs a lot where there are lots, and takes the value of the bid there', () => {
    const { awards: _made, ...lotted } = withOpenedBids([bidForLots('b1', 400, 420)], tenderFactsWithLots());
    const open: Awarding = { ...lotted, awards: [] };
    expect(refusalOf(postAward(open, posted, early))).toEqual([422, 'lotID', REQUIRED]);
    const played = postAward(open, { ...posted, lotID: LOT_2 }, early);
    expect(awardAt(played.state, 0)).toMatchObject({ lotID: LOT_2, bid_id: idOf('b1'), value: money(420) });
  });

  it('takes no bid where two bidders have the same identifier', () => {
    const twice = withOpenedBids([bid('b1', 390), { ...bid('b3', 400), tenderers: [party('b1')] }]);
    const played = postAward(twice, posted, unguarded);
    expect([statuses(played.state), awardAt(played.state, 1).bid_id]).toEqual([['cancelled', 'pending'], undefined]);
  });
});
