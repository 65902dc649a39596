import {
  COMPLAINT_STATUSES,
  type ComplaintStatus,
  type StoredComplaint,
} from '@procurement/contracts/resources/complaint';
import { TENDER_STATUSES } from '@procurement/contracts/resources/tender';
import { describe, expect, it } from 'vitest';
import { COMPLAINT_TRANSITIONS, type ComplaintsMode } from '@procurement/domain/complaints';
import { ACTORS, type ActorName } from '@procurement/testing/actors';
import { LONG_RESOLUTION } from '@procurement/testing/bodies';
import { padId } from '@procurement/testing/ids';
import { FORBIDDEN, ROLE_FORBIDDEN, refusalOf, REQUIRED, UNAUTHORIZED } from '@procurement/testing/refusals';
import {
  AUTHOR,
  awardAt,
  bid,
  fileComplaint,
  hours,
  lots,
  bidForLots,
  tenderFactsWithLots,
  NOW_TEXT,
  withOpenedBids,
  patchAward,
  patchComplaint,
  withTender,
  type CommandOptions,
  type Data,
} from '../../test-support/run-command.ts';
import type { Awarding } from './awarding.ts';

/** The first award is decided; complaints may be filed until its stand-still ends. */
const decided = patchAward(withOpenedBids([bid('b1', 390), bid('b2', 400)]), 0, { status: 'unsuccessful' }).state;
const OPEN_PERIOD_ENDS = hours(4 * 24);

function complaintOf(state: Awarding): StoredComplaint {
  const complaint = awardAt(state, 0).complaints?.[0];
  if (complaint === undefined) throw new Error('nothing was filed');
  return complaint;
}

/** An awarding whose first award has one complaint with this status, set directly. */
function withComplaint(status: ComplaintStatus, more: Data = {}, state = decided): Awarding {
  const filed = fileComplaint(state, 0).state;
  const complaint = { ...complaintOf(filed), dateAnswered: NOW_TEXT, status, ...more };
  const [first, ...others] = filed.awards;
  if (first === undefined) throw new Error('nothing was awarded');
  return { ...filed, awards: [{ ...first, complaints: [complaint] }, ...others] };
}

describe('FileComplaint (bids-awards-auction.md 3.7)', () => {
  it('files a claim with a number and dateSubmitted', () => {
    const { state } = fileComplaint(decided, 0, { description: 'Пункт 3', resolution: 'mine' }, { now: hours(1) });
    const date = '2017-02-17T13:00:00.000000+02:00';
    expect(complaintOf(state)).toEqual({
      id: padId('9'),
      complaintID: 'UA-2017-02-06-000001.1',
      type: 'claim',
      status: 'claim',
      author: AUTHOR,
      title: 'Вимога',
      description: 'Пункт 3',
      date,
      dateSubmitted: date,
    });
    expect(state.complaintOwners[padId('9')]).toMatchObject({ owner: 'seller', tokenHash: 'c'.repeat(64) });
  });

  it.each([undefined, 'draft', 'pending', 'resolved'])('files a draft for status %s', (status) => {
    const complaint = complaintOf(fileComplaint(decided, 0, { status }).state);
    expect([complaint.status, complaint.dateSubmitted]).toEqual(['draft', undefined]);
  });

  it('counts complaints of the tender and of its awards together', () => {
    const ofTender = { id: 'x', type: 'claim', status: 'draft', owner: 'x', ownerTokenHash: 'x' };
    const first = fileComplaint(withTender(decided, { complaints: [ofTender, ofTender] }), 0).state;
    const second = fileComplaint(first, 1, {}, { id: '8', settings: { serverId: 's' } }).state;
    expect(second.awards.map((award) => award.complaints?.[0]?.complaintID)).toEqual([
      'UA-2017-02-06-000001.3',
      'UA-2017-02-06-000001.s4',
    ]);
  });

  it.each<[string, Data, string, unknown]>([
    ['no author', { author: undefined }, 'author', REQUIRED],
    ['no title', { title: undefined }, 'title', REQUIRED],
    ['answered without a type', { status: 'answered' }, 'resolutionType', REQUIRED],
    ['an unknown member', { foo: 1 }, 'foo', 'Rogue field'],
  ])('422: %s', (_case, data, name, description) => {
    expect(fileComplaint(decided, 0, data).refused?.errors).toEqual([{ location: 'body', name, description }]);
  });

  it.each(TENDER_STATUSES)('is accepted in qualification and awarded only; tender in %s', (status) => {
    const open = status === 'active.qualification' || status === 'active.awarded';
    const text = `Can't add complaint in current (${status}) tender status`;
    expect(refusalOf(fileComplaint(withTender(decided, { status }), 0))).toEqual(
      open ? undefined : [403, 'data', text],
    );
  });

  it('requires an active lot, and a time inside the complaintPeriod, both ends included', () => {
    const lotted = withOpenedBids([bidForLots('b1', 400)], tenderFactsWithLots());
    expect(refusalOf(fileComplaint(withTender(lotted, { lots: lots('cancelled') }), 0))).toEqual([
      403,
      'data',
      'Can add complaint only in active lot status',
    ]);
    expect(refusalOf(fileComplaint(decided, 0, {}, { now: OPEN_PERIOD_ENDS }))).toBeUndefined();
    const late = [403, 'data', 'Can add complaint only in complaintPeriod'];
    expect(refusalOf(fileComplaint(decided, 0, {}, { now: hours(4 * 24 + 0.001) }))).toEqual(late);
    expect(refusalOf(fileComplaint(decided, 0, {}, { now: hours(-1 / 60 - 0.001) }))).toEqual(late);
    expect(refusalOf(fileComplaint(decided, 0, {}, { now: hours(-1 / 60) })), 'a clock that is behind').toBeUndefined();
    expect(refusalOf(fileComplaint(decided, 1, {}, { now: hours(10_000) })), 'an open end').toBeUndefined();
  });

  it.each<[string, CommandOptions['actor'], readonly unknown[] | undefined]>([
    ['a bidder', ACTORS.bidder, undefined],
    ['admins', ACTORS.admins, undefined],
    ['anonymous', ACTORS.anonymous, UNAUTHORIZED],
    ['the broker of a bidder without its token', ACTORS.otherBroker, FORBIDDEN],
    ['another broker with the token of a bidder', { ...ACTORS.bidder, broker: 'other' }, FORBIDDEN],
    ['the owner of the tender', ACTORS.owner, FORBIDDEN],
    ['the Administrator', ACTORS.Administrator, FORBIDDEN],
    ['reviewers', ACTORS.reviewer, FORBIDDEN],
    [
      'a bidder without level 2',
      { ...ACTORS.bidder, levels: '1' },
      [403, 'accreditation', 'Broker Accreditation level does not permit complaint creation'],
    ],
    [
      'a test-only bidder of a real tender',
      { ...ACTORS.bidder, levels: '2t' },
      [403, 'mode', 'Broker Accreditation level does not permit complaint creation'],
    ],
  ])('by %s', (_caller, actor, expected) => {
    expect(refusalOf(fileComplaint(decided, 0, {}, actor === undefined ? {} : { actor }))).toEqual(expected);
  });
});

/** Members that a transition to this status requires. */
const DATA_BY_STATUS: Readonly<Partial<Record<ComplaintStatus, Data>>> = {
  answered: { resolutionType: 'declined', resolution: LONG_RESOLUTION },
  cancelled: { cancellationReason: 'Питання знято' },
  resolved: { satisfied: true },
  pending: { satisfied: false },
};

const ACTOR_OF_ROLE = { complaint_owner: 'complainant', tender_owner: 'owner', reviewers: 'reviewer' } as const;
const CLOSED: readonly string[] = ['resolved', 'invalid', 'declined', 'cancelled', 'ignored'];
const EDITABLE_STATUSES: Readonly<Record<keyof typeof ACTOR_OF_ROLE, readonly string[]>> = {
  complaint_owner: ['draft', 'answered'],
  tender_owner: ['claim', 'pending'],
  reviewers: ['pending'],
};

describe.each<ComplaintsMode>(['full', 'claims-only'])('transitions of a complaint, %s', (complaintsMode) => {
  const pairs = COMPLAINT_STATUSES.flatMap((from) => COMPLAINT_STATUSES.map((to) => [from, to] as const));
  const roles = Object.keys(ACTOR_OF_ROLE) as (keyof typeof ACTOR_OF_ROLE)[];

  it.each(pairs)('%s to %s: accepts what the table allows', (from, to) => {
    for (const role of roles) {
      const data = { status: to, ...DATA_BY_STATUS[to] };
      const options = { actor: ACTORS[ACTOR_OF_ROLE[role]], settings: { complaintsMode } };
      const result = patchComplaint(withComplaint(from), 0, data, options);
      const row = COMPLAINT_TRANSITIONS.find(
        (one) =>
          one.from === from && one.to === to && one.by === role && (one.mode ?? complaintsMode) === complaintsMode,
      );
      // The tender owner cannot set the status of a pending complaint: the status sent is ignored, pending to pending applies.
      const stays = role === 'tender_owner' && from === 'pending';
      const withdraws = role === 'complaint_owner' && to === 'cancelled';
      const mayEdit = withdraws || EDITABLE_STATUSES[role].includes(from);
      // The complainant may repeat the status (rulings R27).
      const repeats = role === 'complaint_owner' && from === to && DATA_BY_STATUS[to] === undefined;
      const isAccepted = stays ? complaintsMode === 'full' : repeats || row !== undefined;
      const expected = isAccepted
        ? undefined
        : !mayEdit
          ? ROLE_FORBIDDEN
          : [
              403,
              'data',
              CLOSED.includes(from) ? `Can't update complaint in current (${from}) status` : "Can't update complaint",
            ];
      expect(refusalOf(result), role).toEqual(expected);
      expect(complaintOf(result.state).status, role).toBe(isAccepted && !stays ? to : from);
      if (row?.sets !== undefined && isAccepted && !stays) expect(complaintOf(result.state)[row.sets]).toBe(NOW_TEXT);
    }
  });
});

it('COMPLAINT_TRANSITIONS has exactly the transitions of bids-awards-auction.md 3.7', () => {
  expect(COMPLAINT_TRANSITIONS.map(({ from, to, by, mode }) => `${mode ?? 'both'} ${by}: ${from} ${to}`)).toEqual([
    'both complaint_owner: draft draft',
    'both complaint_owner: draft claim',
    'both complaint_owner: draft cancelled',
    'both complaint_owner: claim cancelled',
    'both complaint_owner: answered cancelled',
    'full complaint_owner: pending cancelled',
    'both tender_owner: claim claim',
    'both tender_owner: claim answered',
    'both complaint_owner: answered answered',
    'full complaint_owner: answered resolved',
    'claims-only complaint_owner: answered resolved',
    'full complaint_owner: answered pending',
    'full tender_owner: pending pending',
    'full reviewers: pending pending',
    'full reviewers: pending resolved',
    'full reviewers: pending invalid',
    'full reviewers: pending declined',
  ]);
});

describe('ChangeComplaint', () => {
  const owner = { actor: ACTORS.owner };
  const complainant = { actor: ACTORS.complainant };
  const refused = [403, 'data', "Can't update complaint"];

  it('escalation sets the type complaint', () => {
    const { state } = patchComplaint(
      withComplaint('answered'),
      0,
      { status: 'pending', satisfied: false },
      complainant,
    );
    expect(complaintOf(state)).toMatchObject({ type: 'complaint', status: 'pending', dateEscalated: NOW_TEXT });
  });

  it.each([
    ['full', true, true],
    ['full', false, false],
    ['full', undefined, false],
    ['claims-only', true, true],
    ['claims-only', false, true],
    ['claims-only', undefined, false],
  ] as const)('%s: resolved with satisfied %s is accepted: %s', (complaintsMode, satisfied, accepted) => {
    const options = { ...complainant, settings: { complaintsMode } };
    const result = patchComplaint(withComplaint('answered'), 0, { status: 'resolved', satisfied }, options);
    expect(refusalOf(result)).toEqual(accepted ? undefined : refused);
  });

  it.each([['x'.repeat(19)], [undefined]])(
    'refuses an answer shorter than 20 characters without naming the reason: %s',
    (resolution) => {
      const data = { status: 'answered', resolutionType: 'declined', resolution };
      expect(refusalOf(patchComplaint(withComplaint('claim'), 0, data, owner))).toEqual(refused);
    },
  );

  it('422: an answer without resolutionType, a withdrawal without cancellationReason', () => {
    const answer = { status: 'answered', resolution: LONG_RESOLUTION };
    expect(refusalOf(patchComplaint(withComplaint('claim'), 0, answer, owner))).toEqual([
      422,
      'resolutionType',
      REQUIRED,
    ]);
    expect(refusalOf(patchComplaint(withComplaint('claim'), 0, { status: 'cancelled' }, complainant))).toEqual([
      422,
      'cancellationReason',
      REQUIRED,
    ]);
  });

  it('changes a draft inside the complaintPeriod only, and withdraws it at any time', () => {
    const late = { ...complainant, now: hours(4 * 24 + 1) };
    for (const data of [{ title: 'y' }, { status: 'claim' }]) {
      expect(refusalOf(patchComplaint(withComplaint('draft'), 0, data, late))).toEqual(refused);
      expect(refusalOf(patchComplaint(withComplaint('draft'), 0, data, complainant))).toBeUndefined();
    }
    const withdrawal = { status: 'cancelled', cancellationReason: 'x' };
    expect(refusalOf(patchComplaint(withComplaint('draft'), 0, withdrawal, late))).toBeUndefined();
  });

  it('dates the first tendererAction only', () => {
    const first = patchComplaint(withComplaint('claim'), 0, { tendererAction: 'a' }, owner).state;
    const second = patchComplaint(first, 0, { tendererAction: 'b' }, { ...owner, now: hours(1) }).state;
    expect(complaintOf(second)).toMatchObject({ tendererAction: 'b', tendererActionDate: NOW_TEXT, status: 'claim' });
  });

  it('ignores members that the role may not set; emits nothing when nothing changes', () => {
    const { events, state } = patchComplaint(withComplaint('claim'), 0, { decision: 'x', title: 'y', id: 'z' }, owner);
    expect([events, complaintOf(state).title]).toEqual([[], 'Вимога']);
  });

  it.each<[ActorName, readonly unknown[]]>([
    ['bidder', FORBIDDEN],
    ['wrongBroker', FORBIDDEN],
    ['chronograph', FORBIDDEN],
    ['Administrator', ROLE_FORBIDDEN],
    ['anonymous', UNAUTHORIZED],
  ])('refuses %s', (name, expected) => {
    expect(refusalOf(patchComplaint(withComplaint('claim'), 0, { title: 'x' }, { actor: ACTORS[name] }))).toEqual(
      expected,
    );
  });

  it.each(TENDER_STATUSES)('is accepted in qualification and awarded only; tender in %s', (status) => {
    const open = status === 'active.qualification' || status === 'active.awarded';
    const text = `Can't update complaint in current (${status}) tender status`;
    const state = withTender(withComplaint('claim'), { status });
    expect(refusalOf(patchComplaint(state, 0, { tendererAction: 'x' }, owner))).toEqual(
      open ? undefined : [403, 'data', text],
    );
  });

  it('checks role, tender, lot and status of the complaint, in this order', () => {
    const lotted = withComplaint('resolved', {}, withOpenedBids([bidForLots('b1', 400)], tenderFactsWithLots()));
    const closedLot = withTender(lotted, { lots: lots('unsuccessful') });
    const over = withTender(closedLot, { status: 'complete' });
    const withdrawal = { status: 'cancelled', cancellationReason: 'x' };
    const refusalText = (state: Awarding) => refusalOf(patchComplaint(state, 0, withdrawal, complainant))?.[2];
    expect([refusalText(over), refusalText(closedLot), refusalText(lotted)]).toEqual([
      "Can't update complaint in current (complete) tender status",
      'Can update complaint only in active lot status',
      "Can't update complaint in current (resolved) status",
    ]);
    expect(refusalOf(patchComplaint(over, 0, { title: 'x' }, complainant))).toEqual(ROLE_FORBIDDEN);
  });

  it('accepts a stored author that an older segment was allowed to send incomplete (rulings R13)', () => {
    const author = { name: 'x', identifier: { scheme: 'UA-EDR', id: '1' } };
    const early = { ...ACTORS.bidder, segment: '2.3' };
    const filed = fileComplaint(decided, 0, { author, status: 'claim' }, { actor: early }).state;
    expect(refusalOf(fileComplaint(decided, 0, { author, status: 'claim' }))?.[0]).toBe(422);
    expect(patchComplaint(filed, 0, { tendererAction: 'x' }, owner).refused).toBeUndefined();
  });
});
