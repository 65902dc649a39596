import { CONTRACT_STATUSES, type ContractStatus } from '@procurement/contracts/resources/contract';
import { TENDER_STATUSES } from '@procurement/contracts/resources/tender';
import { ACTORS, type ActorName } from '@procurement/testing/actors';
import { padId, LOT_1, LOT_2 } from '@procurement/testing/ids';
import { FORBIDDEN, ROLE_FORBIDDEN, refusalOf, REQUIRED, UNAUTHORIZED } from '@procurement/testing/refusals';
import { describe, expect, it } from 'vitest';
import {
  awardAt,
  bid,
  STAND_STILL_END,
  fileComplaint,
  hours,
  ITEMS,
  lots,
  bidForLots,
  tenderFactsWithLots,
  buildMeta,
  money,
  NOW_TEXT,
  withOpenedBids,
  party,
  patchAward,
  patchContract,
  runCommand,
  withTender,
  CONTRACT_HASH,
  type Data,
} from '../../test-support/run-command.ts';
import type { Awarding } from './awarding.ts';

const awarded = patchAward(withOpenedBids([bid('b1', 400.5)]), 0, { status: 'active' }).state;
/** A time after the stand-still. */
const LATER = hours(5 * 24);
const afterStandStill = { now: LATER };
/** The VAT flag is fixed on segments before 2.5 (rulings R26). */
const olderSegment = { ...afterStandStill, actor: { ...ACTORS.owner, segment: '2.3' } };

function inStatus(status: ContractStatus, state = awarded): Awarding {
  return { ...state, contracts: state.contracts.map((contract) => ({ ...contract, status })) };
}

const contractOf = (state: Awarding) => state.contracts[0];
const patchErrors = (data: Data, state = awarded) => patchContract(state, 0, data, afterStandStill).refused?.errors;
const inBody = (name: string, description: unknown) => ({ location: 'body', name, description });

describe('ChangeContract: numbered checks (bids-awards-auction.md 4.3)', () => {
  const tooEarly = [`Contract signature date should be after award complaint period end date (${STAND_STILL_END})`];

  it.each([
    ['2017-02-20', tooEarly],
    [STAND_STILL_END, tooEarly],
    ['2017-02-21T12:00:00.000001+02:00', undefined],
    ['2017-02-22T12:00:00+02:00', undefined],
    ['2017-02-22T12:00:00.000001+02:00', ["Contract signature date can't be in the future"]],
    ['x', ['Could not parse x. Should be ISO8601.']],
  ])('1, 2: dateSigned %s', (dateSigned, description) => {
    expect(patchErrors({ dateSigned })).toEqual(
      description === undefined ? undefined : [inBody('dateSigned', description)],
    );
  });

  it('3: a period that ends before it starts, reported together with a wrong dateSigned', () => {
    const period = { startDate: '2017-03-02', endDate: '2017-03-01' };
    const description = { startDate: ['period should begin before its end'] };
    expect(patchErrors({ period })).toEqual([inBody('period', description)]);
    expect(patchErrors({ period, dateSigned: '2017-02-20' })).toEqual([
      inBody('period', description),
      inBody('dateSigned', tooEarly),
    ]);
  });

  it.each(TENDER_STATUSES)('4: accepts in qualification and awarded only; tender in %s', (status) => {
    const open = status === 'active.qualification' || status === 'active.awarded';
    const text = `Can't update contract in current (${status}) tender status`;
    const result = patchContract(withTender(awarded, { status }), 0, { title: 'x' }, afterStandStill);
    expect(refusalOf(result)).toEqual(open ? undefined : [403, 'data', text]);
  });

  it.each<[number, Data, string]>([
    [6, { value: { valueAddedTaxIncluded: false } }, "Can't update valueAddedTaxIncluded for contract value"],
    [7, { value: { currency: 'USD' } }, "Can't update currency for contract value"],
    [8, { value: { amount: 401 } }, 'Value amount should be less or equal to awarded amount (400.5)'],
    [11, { status: 'cancelled' }, "Can't update contract status"],
    [11, { status: 'terminated' }, "Can't update contract status"],
  ])('%d: %j', (_n, data, text) => {
    expect(refusalOf(patchContract(awarded, 0, data, olderSegment))).toEqual([403, 'data', text]);
  });

  it('6: allows another VAT flag on 2.5 (rulings R26)', () => {
    const changed = patchContract(awarded, 0, { value: { valueAddedTaxIncluded: false } }, afterStandStill);
    expect(changed.refused).toBeUndefined();
    expect(contractOf(changed.state)?.value).toMatchObject({ amount: 400.5, valueAddedTaxIncluded: false });
  });

  it('takes amountNet on 2.5 only; older segments keep it (contracting.md 2.2)', () => {
    const { state } = patchContract(awarded, 0, { value: { amount: 396, amountNet: 330 } });
    expect(contractOf(state)?.value).toEqual({ ...money(396), amountNet: 330 });
    const older = { actor: olderSegment.actor };
    expect(patchContract(state, 0, { value: { amountNet: 331 } }, older).refused?.errors).toEqual([
      inBody('value', { amountNet: 'Rogue field' }),
    ]);
    const titled = patchContract(state, 0, { title: 'x', value: { amount: 395 } }, older).state;
    expect(contractOf(titled)).toEqual({ ...contractOf(state), title: 'x', value: { ...money(395), amountNet: 330 } });
    expect(patchContract(state, 0, { value: { amount: 396 } }, older).events).toEqual([]);
  });

  it('8: prints amounts with a fraction', () => {
    const whole = patchAward(withOpenedBids([bid('b1', 400)]), 0, { status: 'active' }).state;
    expect(refusalOf(patchContract(whole, 0, { value: { amount: 401 } }))?.[2]).toContain('(400.0)');
  });

  it('9: refuses signing before the end of the stand-still, accepts it at the end', () => {
    const data = { status: 'active' };
    const text = `Can't sign contract before stand-still period end (${STAND_STILL_END})`;
    expect(refusalOf(patchContract(awarded, 0, data, { now: hours(4 * 24 - 1) }))).toEqual([403, 'data', text]);
    expect(refusalOf(patchContract(awarded, 0, data, { now: hours(4 * 24) }))).toBeUndefined();
  });

  it('are made in this order', () => {
    const lotted = patchAward(withOpenedBids([bidForLots('b1', 400)], tenderFactsWithLots()), 0, {
      status: 'active',
    }).state;
    const blocked = fileComplaint(lotted, 0).state;
    const closedLot = withTender(blocked, { lots: lots('cancelled') });
    const over = withTender(closedLot, { status: 'complete' });
    const refusalText = (state: Awarding, data: Data, now = LATER) =>
      refusalOf(patchContract(state, 0, data, { ...olderSegment, now }))?.[2];
    const all = { value: { amount: 500, currency: 'USD', valueAddedTaxIncluded: false }, status: 'active' };
    const { valueAddedTaxIncluded: _vat, ...currency } = all.value;
    const early = hours(1);
    expect([
      refusalText(over, { ...all, dateSigned: '2017-02-20' }, early),
      refusalText(over, all, early),
      refusalText(closedLot, all, early),
      refusalText(blocked, all, early),
      refusalText(blocked, { ...all, value: currency }, early),
      refusalText(blocked, { ...all, value: { amount: 500 } }, early),
      refusalText(blocked, { status: 'active' }, early),
      refusalText(blocked, { status: 'active' }),
      refusalText(inStatus('cancelled', lotted), { status: 'active' }),
    ]).toEqual([
      tooEarly,
      "Can't update contract in current (complete) tender status",
      'Can update contract only in active lot status',
      "Can't update valueAddedTaxIncluded for contract value",
      "Can't update currency for contract value",
      'Value amount should be less or equal to awarded amount (400.0)',
      `Can't sign contract before stand-still period end (${STAND_STILL_END})`,
      "Can't sign contract before reviewing all complaints",
      "Can't update contract status",
    ]);
  });
});

describe('ChangeContract: 10, complaints that block signing (bids-awards-auction.md 4.3)', () => {
  const signing = { status: 'active' };
  const STATUSES = [
    'draft',
    'claim',
    'answered',
    'pending',
    'resolved',
    'invalid',
    'declined',
    'cancelled',
    'ignored',
  ] as const;
  const blocks = { full: ['claim', 'answered', 'pending'], 'claims-only': ['answered', 'pending'] } as const;
  const lotted = patchAward(withOpenedBids([bidForLots('b1', 400, 420)], tenderFactsWithLots()), 0, {
    status: 'active',
  }).state;

  describe.each(['full', 'claims-only'] as const)('%s', (complaintsMode) => {
    it.each(STATUSES)('complaint in %s', (status) => {
      const expected = (blocks[complaintsMode] as readonly string[]).includes(status);
      const options = { ...afterStandStill, settings: { complaintsMode } };
      const ofTender = { id: 'x', type: 'claim', status, owner: 'x', ownerTokenHash: 'x' };
      const whole = withTender(awarded, { complaints: [ofTender] });
      expect(patchContract(whole, 0, signing, options).refused?.code === 'contract.complaints').toBe(expected);
      const filed = fileComplaint(awarded, 0).state;
      const ofAward: Awarding = {
        ...filed,
        awards: filed.awards.map((award) => ({
          ...award,
          complaints: award.complaints?.map((one) => ({ ...one, status })),
        })),
      };
      expect(patchContract(ofAward, 0, signing, options).refused?.code === 'contract.complaints').toBe(expected);
    });
  });

  it.each([
    [LOT_1, true],
    [undefined, true],
    [LOT_2, false],
  ])('complaint about the tender with relatedLot %s: %s', (relatedLot, expected) => {
    const complaint = { id: 'x', type: 'claim', status: 'claim', owner: 'x', ownerTokenHash: 'x', relatedLot };
    const state = withTender(lotted, { complaints: [complaint] });
    expect(patchContract(state, 0, signing, afterStandStill).refused?.code === 'contract.complaints').toBe(expected);
  });

  it('blocks by a complaint about another award of the lot, not of another lot', () => {
    expect(patchContract(fileComplaint(lotted, 1).state, 0, signing, afterStandStill).refused).toBeUndefined();
    const second = patchAward(withOpenedBids([bid('b1', 390), bid('b2', 400)]), 0, { status: 'unsuccessful' }).state;
    const active = patchAward(fileComplaint(second, 0).state, 1, { status: 'active' }).state;
    expect(patchContract(active, 0, signing, afterStandStill).refused?.code).toBe('contract.complaints');
  });
});

describe('transitions of a contract', () => {
  const pairs = CONTRACT_STATUSES.flatMap((from) => CONTRACT_STATUSES.map((to) => [from, to] as const));

  it.each(pairs)('%s to %s', (from, to) => {
    const result = patchContract(inStatus(from), 0, { status: to }, afterStandStill);
    const isAccepted = from === to || (from === 'pending' && to === 'active');
    expect(refusalOf(result)).toEqual(isAccepted ? undefined : [403, 'data', "Can't update contract status"]);
    expect(contractOf(result.state)?.status).toBe(isAccepted ? to : from);
  });
});

describe('ChangeContract', () => {
  it('signs with dateSigned now, unless the body has one', () => {
    const date = '2017-02-22T12:00:00.000000+02:00';
    const plain = patchContract(awarded, 0, { status: 'active' }, afterStandStill).state;
    expect(contractOf(plain)).toMatchObject({ status: 'active', date, dateSigned: date });
    const dated = patchContract(
      awarded,
      0,
      { status: 'active', dateSigned: '2017-02-22T10:00:00+02:00' },
      afterStandStill,
    ).state;
    expect(contractOf(dated)).toMatchObject({ date, dateSigned: '2017-02-22T10:00:00+02:00' });
    expect(patchContract(plain, 0, {}, afterStandStill).events).toEqual([]);
    expect(patchContract(plain, 0, { dateSigned: date, title: 'x' }, { now: hours(300) }).refused).toBeUndefined();
  });

  it('lowers and raises the amount up to that of the award', () => {
    const down = patchContract(awarded, 0, { value: { amount: 380 } }).state;
    expect(contractOf(down)?.value).toEqual(money(380));
    expect(contractOf(patchContract(down, 0, { value: { amount: 400.5 } }).state)?.value).toEqual(money(400.5));
    expect(patchContract(down, 0, { value: { amount: 400.6 } }).refused?.code).toBe('contract.amount');
  });

  it('sets the members of the owner and ignores those that the service sets', () => {
    const edited = {
      contractNumber: '№ 5',
      title: 'Договір',
      description_en: 'x',
      period: { startDate: '2017-03-01T00:00:00+02:00', endDate: '2017-12-31T00:00:00+02:00' },
    };
    const ignored = {
      contractID: 'x',
      awardID: padId('7'),
      items: [],
      suppliers: 'x',
      documents: [],
      id: 'y',
      date: NOW_TEXT,
    };
    const { state } = patchContract(awarded, 0, { ...edited, ...ignored });
    expect(contractOf(state)).toEqual({ ...contractOf(awarded), ...edited });
  });

  it.each<[ActorName, readonly unknown[] | undefined]>([
    ['owner', undefined],
    ['admins', undefined],
    ['Administrator', ROLE_FORBIDDEN],
    ['chronograph', ROLE_FORBIDDEN],
    ['bidder', FORBIDDEN],
    ['wrongBroker', FORBIDDEN],
    ['anonymous', UNAUTHORIZED],
  ])('by %s', (name, expected) => {
    expect(refusalOf(patchContract(awarded, 0, { title: 'x' }, { actor: ACTORS[name] }))).toEqual(expected);
  });
});

describe('IssueCredentials (clients.md)', () => {
  const issue = (actor: (typeof ACTORS)[ActorName]) =>
    runCommand(awarded, {
      type: 'IssueCredentials',
      id: contractOf(awarded)?.id ?? '',
      meta: { ...buildMeta(awarded, { actor }), tokenHash: CONTRACT_HASH, transferHash: CONTRACT_HASH },
    });

  it('issues a token that permits changes of this contract to the same broker', () => {
    const { state } = issue(ACTORS.owner);
    const holder = { ...ACTORS.owner, tokenHash: CONTRACT_HASH };
    expect(patchContract(state, 0, { title: 'x' }, { actor: holder }).refused).toBeUndefined();
    const other = { ...holder, broker: 'other' };
    expect(refusalOf(patchContract(state, 0, { title: 'x' }, { actor: other }))).toEqual(FORBIDDEN);
    expect(refusalOf(patchAward(state, 0, {}, { actor: holder }))).toEqual(FORBIDDEN);
  });

  it.each([
    ['bidder', FORBIDDEN],
    ['anonymous', UNAUTHORIZED],
  ] as const)('refuses %s', (name, expected) => expect(refusalOf(issue(ACTORS[name]))).toEqual(expected));
});

describe('PostContract (bids-awards-auction.md 4.2)', () => {
  const post = (state: Awarding, data: Data, actor: (typeof ACTORS)[ActorName] = ACTORS.admins) =>
    runCommand(state, {
      type: 'PostContract',
      body: { kind: 'data', data },
      meta: { ...buildMeta(state, { actor }), id: padId('77') },
    });
  const awardID = awardAt(awarded, 0).id;

  it('adds a pending contract for an award, with the next number', () => {
    expect(post(awarded, { awardID, status: 'active', title: 'x', contractID: 'y' }).state.contracts[1]).toEqual({
      id: padId('77'),
      awardID,
      contractID: 'UA-2017-02-06-000001-2',
      status: 'pending',
      date: NOW_TEXT,
      dateCreated: NOW_TEXT,
      title: 'x',
      value: money(400.5),
      suppliers: [party('b1')],
      items: ITEMS,
    });
  });

  it('refuses an unknown award, a tender in another status, and callers other than admins', () => {
    expect(refusalOf(post(awarded, { awardID: 'x' }))).toEqual([422, 'awardID', ['awardID should be one of awards']]);
    expect(refusalOf(post(awarded, {}))).toEqual([422, 'awardID', REQUIRED]);
    expect(refusalOf(post(withTender(awarded, { status: 'complete' }), { awardID }))).toEqual([
      403,
      'data',
      "Can't add contract in current (complete) tender status",
    ]);
    expect(refusalOf(post(awarded, { awardID }, ACTORS.owner))).toEqual(FORBIDDEN);
  });
});

describe('ChangeContract with the present status (rulings R27)', () => {
  it.each(CONTRACT_STATUSES)('%s has no effect, also after the tender was completed', (status) => {
    const state = withTender(inStatus(status), { status: 'complete' });
    const result = patchContract(state, 0, { status }, afterStandStill);
    expect([result.refused, result.events]).toEqual([undefined, []]);
  });
});
