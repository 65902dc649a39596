import { AWARD_STATUSES, type AwardStatus, type StoredAward } from '@procurement/contracts/resources/award';
import type { StoredComplaint } from '@procurement/contracts/resources/complaint';
import { TENDER_STATUSES } from '@procurement/contracts/resources/tender';
import { ACTORS, type ActorName } from '@procurement/testing/actors';
import { LONG_RESOLUTION } from '@procurement/testing/bodies';
import { padId, LOT_1 } from '@procurement/testing/ids';
import { FORBIDDEN, refusalOf, UNAUTHORIZED } from '@procurement/testing/refusals';
import { describe, expect, it } from 'vitest';
import {
  awardAt,
  bid,
  STAND_STILL_END,
  tenderFacts,
  fileComplaint,
  hours,
  ITEMS,
  lots,
  bidForLots,
  tenderFactsWithLots,
  ITEMS_OF_LOTS,
  money,
  NOW_TEXT,
  withOpenedBids,
  party,
  patchAward,
  patchComplaint,
  statuses,
  withTender,
  type Data,
} from '../../test-support/run-command.ts';
import { AWARD_TRANSITIONS } from './award.transitions.ts';
import type { Awarding } from './awarding.ts';

const pending = withOpenedBids([bid('b1', 390), bid('b2', 400)]);

/** An awarding whose first award has this status, set directly. */
function inStatus(status: AwardStatus, more: Partial<StoredAward> = {}, state = pending): Awarding {
  const [first, ...others] = state.awards;
  if (first === undefined) throw new Error('nothing was awarded');
  return { ...state, awards: [{ ...first, status, ...more }, ...others] };
}

const complaint = (status: StoredComplaint['status']): StoredComplaint => ({
  id: padId('c1'),
  complaintID: 'UA-1.1',
  type: 'claim',
  status,
  title: 'x',
  author: party('30') as StoredComplaint['author'],
  date: NOW_TEXT,
});

describe('transitions of an award (bids-awards-auction.md 3.4)', () => {
  const editors = ['owner', 'chronograph', 'admins'] as const;
  const pairs = AWARD_STATUSES.flatMap((from) => AWARD_STATUSES.map((to) => [from, to] as const));

  it.each(pairs)('%s to %s: accepts what the table allows', (from, to) => {
    const row = AWARD_TRANSITIONS.find((one) => one.from === from && one.to === to);
    const state = inStatus(from);
    const contested = inStatus(from, { complaints: [complaint('claim')] });
    const refusal = [403, 'data', `Can't update award in current (${from}) status`];
    for (const name of editors) {
      const plain = patchAward(state, 0, { status: to }, { actor: ACTORS[name] });
      // The tender owner may repeat the status (rulings R27).
      const repeats = from === to && name !== 'chronograph';
      const allowed = repeats || (row !== undefined && row.when === undefined);
      expect(refusalOf(plain), name).toEqual(allowed ? undefined : refusal);
      expect(plain.state.awards[0]?.status, name).toBe(allowed ? to : from);
      const complained = patchAward(contested, 0, { status: to }, { actor: ACTORS[name] });
      expect(refusalOf(complained), name).toEqual(row === undefined && !repeats ? refusal : undefined);
    }
    const administrator = patchAward(state, 0, { status: to }, { actor: ACTORS.Administrator });
    expect([administrator.refused, administrator.events]).toEqual([undefined, []]);
  });

  it('has exactly the transitions of the specification', () => {
    expect(AWARD_TRANSITIONS.map(({ from, to }) => `${from} ${to}`)).toEqual([
      'pending pending',
      'pending active',
      'pending unsuccessful',
      'active cancelled',
      'unsuccessful cancelled',
    ]);
  });

  it.each([
    'claim',
    'answered',
    'pending',
    'resolved',
    'draft',
    'invalid',
    'declined',
    'cancelled',
    'ignored',
  ] as const)('cancels an unsuccessful award only with a contesting complaint; complaint in %s', (status) => {
    const result = patchAward(inStatus('unsuccessful', { complaints: [complaint(status)] }), 0, {
      status: 'cancelled',
    });
    const contests = ['claim', 'answered', 'pending', 'resolved'].includes(status);
    expect(result.refused === undefined).toBe(contests);
  });

  it.each(AWARD_STATUSES)('accepts a PATCH without a status only when pending; award in %s', (status) => {
    const text = `Can't update award in current (${status}) status`;
    for (const data of [{}, { title: 'x' }]) {
      expect(refusalOf(patchAward(inStatus(status), 0, data))).toEqual(
        status === 'pending' ? undefined : [403, 'data', text],
      );
    }
  });
});

describe('ChangeAward: permissions', () => {
  it.each<[ActorName, readonly unknown[] | undefined]>([
    ['owner', undefined],
    ['chronograph', undefined],
    ['admins', undefined],
    ['Administrator', undefined],
    ['bidder', FORBIDDEN],
    ['wrongBroker', FORBIDDEN],
    ['auction', FORBIDDEN],
    ['reviewer', FORBIDDEN],
    ['anonymous', UNAUTHORIZED],
  ])('%s', (name, expected) => {
    expect(refusalOf(patchAward(pending, 0, { title: 'x' }, { actor: ACTORS[name] }))).toEqual(expected);
  });

  it('lets the Administrator change the complaintPeriod of any award, and nothing else', () => {
    const data = { complaintPeriod: { endDate: '2017-03-01' }, status: 'active', title: 'x' };
    const { state } = patchAward(inStatus('cancelled'), 0, data, { actor: ACTORS.Administrator });
    expect(state.awards[0]).toEqual({
      ...inStatus('cancelled').awards[0],
      complaintPeriod: { startDate: NOW_TEXT, endDate: '2017-03-01T00:00:00+02:00' },
    });
    expect(state.contracts).toEqual([]);
  });
});

describe('ChangeAward: order of refusals', () => {
  const data = { status: 'cancelled' };

  it.each(TENDER_STATUSES)('refuses outside qualification and awarded; tender in %s', (status) => {
    const open = status === 'active.qualification' || status === 'active.awarded';
    const result = patchAward(withTender(pending, { status }), 0, open ? {} : data);
    const text = `Can't update award in current (${status}) tender status`;
    expect(refusalOf(result)).toEqual(open ? undefined : [403, 'data', text]);
  });

  it('checks the tender before the lot', () => {
    const state = withOpenedBids([bidForLots('b1', 400)], tenderFactsWithLots());
    const closed = withTender(state, { lots: lots('cancelled') });
    expect(refusalOf(patchAward(closed, 0, data))).toEqual([403, 'data', 'Can update award only in active lot status']);
    expect(refusalOf(patchAward(withTender(closed, { status: 'complete' }), 0, data))?.[2]).toContain('tender status');
  });

  it('checks the permission before the body, and the body before the statuses', () => {
    const over = withTender(pending, { status: 'complete' });
    expect(refusalOf(patchAward(over, 0, { status: 'wrong' }))).toEqual([
      422,
      'status',
      ["Value must be one of ['pending', 'unsuccessful', 'active', 'cancelled']."],
    ]);
    expect(refusalOf(patchAward(over, 0, { foo: 1 }))).toEqual([422, 'foo', 'Rogue field']);
    expect(refusalOf(patchAward(over, 0, { foo: 1 }, { actor: ACTORS.bidder }))).toEqual(FORBIDDEN);
  });

  it('ignores members that the service sets', () => {
    const stored = awardAt(pending, 0);
    expect(patchAward(pending, 0, { ...stored, suppliers: 'x', value: null }).events).toEqual([]);
    const { state } = patchAward(pending, 0, {
      ...stored,
      value: money(1),
      bid_id: 'x',
      title_en: 'A',
      description: 'B',
    });
    expect(state.awards[0]).toEqual({ ...stored, title_en: 'A', description: 'B' });
  });

  it('edits texts while the award is pending, also together with the decision', () => {
    const { state } = patchAward(pending, 0, { status: 'active', title: 'x' });
    expect(state.awards[0]).toMatchObject({ status: 'active', title: 'x' });
    const cancelled = patchAward(state, 0, { status: 'cancelled', title: 'y' }).state;
    expect(cancelled.awards[0]).toMatchObject({ status: 'cancelled', title: 'x' });
  });
});

describe('ChangeAward: effects (bids-awards-auction.md 3.4)', () => {
  it('active: starts a stand-still of two working days and adds a contract', () => {
    const { state } = patchAward(pending, 0, { status: 'active' }, { now: hours(1), settings: { serverId: 's' } });
    expect(state.awards).toEqual([
      {
        ...awardAt(pending, 0),
        status: 'active',
        date: '2017-02-17T13:00:00.000000+02:00',
        complaintPeriod: { startDate: NOW_TEXT, endDate: '2017-02-21T13:00:00.000000+02:00' },
      },
    ]);
    expect(state.contracts).toMatchObject([
      {
        awardID: awardAt(pending, 0).id,
        contractID: 'UA-2017-02-06-000001-s1',
        status: 'pending',
        value: money(390),
        suppliers: [party('b1')],
        items: ITEMS,
      },
    ]);
  });

  it('active with an accelerator in the sandbox: divides two days', () => {
    const details = { procurementMethodDetails: 'quick, accelerator=1440' };
    const data = { status: 'active' };
    const quick = patchAward(withTender(pending, details), 0, data, { settings: { sandbox: true } }).state;
    expect(quick.awards[0]?.complaintPeriod?.endDate).toBe('2017-02-17T12:02:00.000000+02:00');
    expect(patchAward(withTender(pending, details), 0, data).state.awards[0]?.complaintPeriod?.endDate).toBe(
      STAND_STILL_END,
    );
  });

  it('unsuccessful: starts a stand-still and adds the next award if there is a candidate', () => {
    const { state } = patchAward(pending, 0, { status: 'unsuccessful' });
    expect(
      state.awards.map(({ status, bid_id, complaintPeriod }) => [status, bid_id, complaintPeriod?.endDate]),
    ).toEqual([
      ['unsuccessful', padId('b1'), STAND_STILL_END],
      ['pending', padId('b2'), undefined],
    ]);
    expect(statuses(patchAward(state, 1, { status: 'unsuccessful' }).state)).toEqual(['unsuccessful', 'unsuccessful']);
  });

  it('cancelled: ends the stand-still now, unless it is over', () => {
    const active = patchAward(pending, 0, { status: 'active' }).state;
    const before = patchAward(active, 0, { status: 'cancelled' }, { now: hours(1) }).state;
    expect(before.awards[0]?.complaintPeriod?.endDate).toBe('2017-02-17T13:00:00.000000+02:00');
    const later = patchAward(active, 0, { status: 'cancelled' }, { now: hours(240) }).state;
    expect(later.awards[0]?.complaintPeriod?.endDate).toBe(STAND_STILL_END);
  });

  it('cancelled: cancels its complaints, except those that are reviewed or withdrawn', () => {
    const all = (
      ['draft', 'claim', 'answered', 'pending', 'invalid', 'resolved', 'declined', 'cancelled', 'ignored'] as const
    ).map(complaint);
    const { state } = patchAward(
      inStatus('active', { complaints: all }),
      0,
      { status: 'cancelled' },
      { now: hours(1) },
    );
    expect(state.awards[0]?.complaints?.map((one) => one.status)).toEqual([
      'cancelled',
      'cancelled',
      'cancelled',
      'cancelled',
      'invalid',
      'resolved',
      'declined',
      'cancelled',
      'cancelled',
    ]);
    const date = '2017-02-17T13:00:00.000000+02:00';
    expect(state.awards[0]?.complaints?.[1]).toMatchObject({
      date,
      dateCanceled: date,
      cancellationReason: 'cancelled',
    });
    expect(state.awards[0]?.complaints?.[7]).toEqual(complaint('cancelled'));
  });

  it('active without the items of the tender: adds no contract yet', () => {
    const { state } = patchAward(pending, 0, { status: 'active' }, { items: undefined });
    expect([statuses(state), state.contracts]).toEqual([['active'], []]);
  });
});

/** bids-awards-auction.md 6.1, steps 24 and 25. */
function withSecondAward(): Awarding {
  const second = patchAward(pending, 0, { status: 'unsuccessful' }).state;
  return patchAward(second, 1, { status: 'active' }, { now: hours(0.2) }).state;
}

describe('variants of the story (bids-awards-auction.md 6.1)', () => {
  it('bidder refuses to sign: cancels the contract and awards the same bid again', () => {
    const state = withSecondAward();
    expect(state.contracts[0]?.contractID).toBe('UA-2017-02-06-000001-1');
    const refused = patchAward(state, 1, { status: 'cancelled' }, { now: hours(1) }).state;
    expect([statuses(refused), refused.awards[2]?.bid_id]).toEqual([
      ['unsuccessful', 'cancelled', 'pending'],
      padId('b2'),
    ]);
    expect(refused.contracts[0]).toMatchObject({ status: 'cancelled', date: '2017-02-17T13:00:00.000000+02:00' });
    expect(statuses(patchAward(refused, 2, { status: 'unsuccessful' }).state)).toEqual([
      'unsuccessful',
      'cancelled',
      'unsuccessful',
    ]);
    const second = patchAward(refused, 2, { status: 'active' }).state;
    expect(second.contracts.map(({ contractID, status }) => [contractID, status])).toEqual([
      ['UA-2017-02-06-000001-1', 'cancelled'],
      ['UA-2017-02-06-000001-2', 'pending'],
    ]);
  });

  it('complaint is upheld: cancels the disqualification and all later awards of the lot', () => {
    const claimed = fileComplaint(withSecondAward(), 0).state;
    const answered = patchComplaint(claimed, 0, {
      status: 'answered',
      resolutionType: 'resolved',
      resolution: LONG_RESOLUTION,
    }).state;
    const { state } = patchAward(answered, 0, { status: 'cancelled' }, { now: hours(2) });
    const date = '2017-02-17T14:00:00.000000+02:00';
    expect(
      state.awards.map(({ status, bid_id, complaintPeriod }) => [status, bid_id, complaintPeriod?.endDate]),
    ).toEqual([
      ['cancelled', padId('b1'), date],
      ['cancelled', padId('b2'), date],
      ['pending', padId('b1'), undefined],
    ]);
    expect(state.awards.slice(0, 2).map((award) => award.date)).toEqual([date, date]);
    expect(state.contracts[0]).toMatchObject({ status: 'cancelled', date });
    expect(state.awards[0]?.complaints?.[0]).toMatchObject({ status: 'cancelled', dateCanceled: date });
    expect(state.awards[2]?.value).toEqual(money(390));
  });

  it('complaint is upheld: keeps awards that were cancelled before, and other lots', () => {
    const lotted = withOpenedBids([bidForLots('b1', 400, 420), bidForLots('b2', 410, 380)], tenderFactsWithLots());
    const disqualified = patchAward(fileComplaint(lotted, 0).state, 0, { status: 'unsuccessful' }).state;
    const active = patchAward(disqualified, 2, { status: 'active' }).state;
    const cancelled = patchAward(active, 2, { status: 'cancelled' }).state;
    const { state } = patchAward(cancelled, 0, { status: 'cancelled' }, { now: hours(3) });
    expect(statuses(state)).toEqual(['cancelled', 'pending', 'cancelled', 'cancelled', 'pending']);
    expect([state.awards[1], state.awards[2]]).toEqual([cancelled.awards[1], cancelled.awards[2]]);
    expect(state.awards[4]).toMatchObject({ lotID: LOT_1, bid_id: padId('b1') });
  });
});

describe('two lots (bids-awards-auction.md 6.2)', () => {
  const state = withOpenedBids([bidForLots('b1', 400, 420), bidForLots('b2', 410, 380)], tenderFactsWithLots());

  it('have separate decisions, and contracts with the items of their lot', () => {
    const second = patchAward(state, 0, { status: 'unsuccessful' }).state;
    expect(second.awards[2]).toMatchObject({ lotID: LOT_1, bid_id: padId('b2'), value: money(410) });
    const one = patchAward(second, 2, { status: 'active' }).state;
    const both = patchAward(one, 1, { status: 'active' }).state;
    expect(both.contracts.map(({ contractID, items, value }) => [contractID, items, value?.amount])).toEqual([
      ['UA-2017-02-06-000001-1', [ITEMS_OF_LOTS[0]], 410],
      ['UA-2017-02-06-000001-2', [ITEMS_OF_LOTS[1]], 380],
    ]);
  });

  it('give complaints the lot of their award', () => {
    const filed = fileComplaint(state, 0).state;
    expect(filed.awards[0]?.complaints?.[0]).toMatchObject({ relatedLot: LOT_1 } satisfies Data);
  });
});

it('adds no next award without opened bids', () => {
  const { bids: _bids, ...none } = pending;
  const { state } = patchAward({ ...none, tender: tenderFacts() }, 0, { status: 'unsuccessful' });
  expect(statuses(state)).toEqual(['unsuccessful']);
});
