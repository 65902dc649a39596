import { describe, expect, it } from 'vitest';
import { COMPLAINT_STATUSES, type ComplaintStatus } from '@procurement/contracts/resources/complaint';
import { COMPLAINT_TRANSITIONS, type ComplaintsMode } from '@procurement/domain/complaints';
import { ACTORS } from '@procurement/testing/actors';
import { AUTHOR, LONG_RESOLUTION } from '@procurement/testing/bodies';
import { padId, LOT_1 } from '@procurement/testing/ids';
import { FORBIDDEN, ROLE_FORBIDDEN, refusalOf, REQUIRED, UNAUTHORIZED } from '@procurement/testing/refusals';
import {
  add,
  award,
  awardsInput,
  change,
  applyInput,
  hours,
  inStatus,
  tenderWithLots,
  newTender,
  inQualification,
  TENDERING_ENDS,
  tick,
  type CommandOptions,
  type Data,
} from '../../test-support/run-command.ts';
import { STATUSES } from '../../test-support/statuses.ts';
import type { TenderState } from './tender.ts';

const tender = newTender();

function file(state: TenderState, data: Data = {}, options: CommandOptions = {}) {
  const body = { author: AUTHOR, title: 'Вимога', status: 'claim', ...data };
  return add(state, 'FileComplaint', body, { actor: ACTORS.complainant, ...options });
}

/** A tender with one complaint in a status, set directly instead of by transitions. */
function withComplaint(status: ComplaintStatus, more: Data = {}, state = tender): TenderState {
  const filed = file(state).state;
  const [complaint] = filed.document.complaints ?? [];
  if (complaint === undefined) throw new Error('the complaint was refused');
  const dates = { dateSubmitted: complaint.date, dateAnswered: complaint.date };
  return {
    ...filed,
    document: { ...filed.document, complaints: [{ ...complaint, ...dates, status, ...more }] },
  };
}

function move(state: TenderState, data: Data, options: CommandOptions = {}) {
  return change(state, 'ChangeComplaint', padId('9'), data, options);
}

function complaintOf(state: TenderState) {
  return state.document.complaints?.[0];
}

describe('FileComplaint (tenders.md 13.2)', () => {
  it('files a claim with its number and its date of submission', () => {
    const { state } = file(tender, { description: 'Пункт 3', resolution: 'mine', decision: 'mine' });
    expect(complaintOf(state)).toEqual({
      author: { ...AUTHOR },
      title: 'Вимога',
      description: 'Пункт 3',
      status: 'claim',
      type: 'claim',
      id: padId('9'),
      complaintID: 'UA-2026-05-04-000001.1',
      date: '2026-05-04T10:15:00.120034+03:00',
      dateSubmitted: '2026-05-04T10:15:00.120034+03:00',
    });
    expect(state.complaintOwners[padId('9')]).toMatchObject({ owner: 'seller', tokenHash: 'c'.repeat(64) });
  });

  it.each([undefined, 'draft', 'pending', 'resolved'])('stores a draft for status %s', (status) => {
    expect(complaintOf(file(tender, { status }).state)).toMatchObject({ status: 'draft' });
  });

  it('numbers complaints in sequence, together with those about awards', () => {
    const complaints = [{ id: 'x', type: 'claim', status: 'claim' }];
    const withAwards = applyInput(
      tender,
      awardsInput(tender, [award('a1', 'pending', { complaints })]),
      TENDERING_ENDS,
    ).state;
    const second = file(file(withAwards).state, {}, { id: '8', settings: { serverId: 's' } }).state;
    expect(second.document.complaints?.map((complaint) => complaint.complaintID)).toEqual([
      'UA-2026-05-04-000001.2',
      'UA-2026-05-04-000001.s3',
    ]);
  });

  it.each([
    ['no author', { author: undefined }, 'author', REQUIRED],
    ['no title', { title: undefined }, 'title', REQUIRED],
    ['answered without a type', { status: 'answered' }, 'resolutionType', REQUIRED],
    ['cancelled without a reason', { status: 'cancelled' }, 'cancellationReason', REQUIRED],
    ['an unknown lot', { relatedLot: 'e'.repeat(32) }, 'relatedLot', ['relatedLot should be one of lots']],
    ['an unknown member', { foo: 1 }, 'foo', 'Rogue field'],
  ])('422: %s', (_what, data, name, description) => {
    expect(file(tender, data).refused?.errors).toEqual([{ location: 'body', name, description }]);
  });

  it('accepts a claim about a lot', () => {
    expect(complaintOf(file(tenderWithLots(), { relatedLot: LOT_1 }).state)).toMatchObject({ relatedLot: LOT_1 });
  });

  it.each(STATUSES)('in %s: allowed in active.enquiries and active.tendering', (status) => {
    const open = status === 'active.enquiries' || status === 'active.tendering';
    const text = `Can't add complaint in current (${status}) tender status`;
    expect(refusalOf(file(inStatus(tender, status)))).toEqual(open ? undefined : [403, 'data', text]);
  });

  it.each([
    ['anonymous', ACTORS.anonymous, UNAUTHORIZED],
    ['the reviewer', ACTORS.reviewer, FORBIDDEN],
    ['the Administrator', ACTORS.Administrator, FORBIDDEN],
    [
      'a broker without level 2',
      { ...ACTORS.otherBroker, levels: '1' },
      [403, 'accreditation', 'Broker Accreditation level does not permit complaint creation'],
    ],
    [
      'a test-only broker on a real tender',
      { ...ACTORS.otherBroker, levels: '2t' },
      [403, 'mode', 'Broker Accreditation level does not permit complaint creation'],
    ],
  ])('refuses %s', (_who, actor, expected) => {
    expect(refusalOf(file(tender, {}, { actor }))).toEqual(expected);
  });
});

/** What a role may set in a status, beside the status itself (tenders.md 13.3). */
const DATA_BY_STATUS: Readonly<Record<string, Data>> = {
  answered: { resolutionType: 'declined', resolution: LONG_RESOLUTION },
  cancelled: { cancellationReason: 'Питання знято' },
  resolved: { satisfied: true },
  pending: { satisfied: false },
};

type Mover = 'complainant' | 'owner' | 'reviewer';

/** Columns: from, to, by, and the mode. The rows are tenders.md 13.3, written independently of the table under test. */
const ALLOWED: readonly (readonly [ComplaintStatus, ComplaintStatus, Mover, ComplaintsMode | 'both'])[] = [
  ['draft', 'draft', 'complainant', 'both'],
  ['draft', 'claim', 'complainant', 'both'],
  ['draft', 'cancelled', 'complainant', 'both'],
  ['claim', 'cancelled', 'complainant', 'both'],
  ['answered', 'cancelled', 'complainant', 'both'],
  ['pending', 'cancelled', 'complainant', 'full'],
  ['claim', 'claim', 'owner', 'both'],
  ['claim', 'answered', 'owner', 'both'],
  ['answered', 'answered', 'complainant', 'both'],
  ['answered', 'resolved', 'complainant', 'both'],
  ['answered', 'pending', 'complainant', 'full'],
  ['pending', 'pending', 'owner', 'full'],
  ['pending', 'pending', 'reviewer', 'full'],
  ['pending', 'resolved', 'reviewer', 'full'],
  ['pending', 'invalid', 'reviewer', 'full'],
  ['pending', 'declined', 'reviewer', 'full'],
];
const CLOSED = new Set(['resolved', 'invalid', 'declined', 'cancelled', 'ignored']);

describe.each(['full', 'claims-only'] as const)(
  'ChangeComplaint: every pair of statuses for every role, mode %s',
  (mode) => {
    const settings = { complaintsMode: mode };

    it.each(
      (['complainant', 'owner', 'reviewer'] as const).flatMap((who) =>
        COMPLAINT_STATUSES.flatMap((from) => COMPLAINT_STATUSES.map((to) => [who, from, to] as const)),
      ),
    )('%s: %s to %s', (who, from, to) => {
      const state = withComplaint(from, { resolutionType: 'declined' });
      const extra = who === 'owner' || to !== 'answered' ? (DATA_BY_STATUS[to] ?? {}) : {};
      const result = move(state, { ...extra, status: to }, { actor: ACTORS[who], settings, now: hours(1) });
      const isAllowed = ALLOWED.some(
        ([a, b, role, of]) => a === from && b === to && role === who && (of === 'both' || of === mode),
      );
      // The complainant may repeat the status (rulings R27): without the members of another change.
      const isRepeat = who === 'complainant' && from === to && DATA_BY_STATUS[to] === undefined;
      // The owner may not set the status of a pending complaint, so a sent one is ignored.
      const isIgnored = who === 'owner' && from === 'pending' && mode === 'full';
      const actual = result.refused === undefined ? complaintOf(result.state)?.status : 'refused';
      expect(actual).toBe(isAllowed || isRepeat ? to : isIgnored ? 'pending' : 'refused');
      if (result.refused !== undefined) expect(result.state).toBe(state);
    });

    it.each([...CLOSED] as ComplaintStatus[])(
      '%s is final: a withdrawal is refused by status, any other change by role',
      (from) => {
        const state = withComplaint(from, { cancellationReason: 'x' });
        const withdrawal = { status: 'cancelled', cancellationReason: 'інша' };
        expect(refusalOf(move(state, withdrawal, { actor: ACTORS.complainant, settings }))).toEqual([
          403,
          'data',
          `Can't update complaint in current (${from}) status`,
        ]);
        expect(refusalOf(move(state, {}, { actor: ACTORS.owner, settings }))).toEqual(ROLE_FORBIDDEN);
        expect(refusalOf(move(state, {}, { actor: ACTORS.reviewer, settings }))).toEqual(ROLE_FORBIDDEN);
      },
    );
  },
);

describe('ChangeComplaint: the present status (rulings R27)', () => {
  it.each(COMPLAINT_STATUSES)('%s to %s has no effect for the complainant', (status) => {
    for (const legacyGuardsOpen of [false, true]) {
      const options = { actor: ACTORS.complainant, settings: { legacyGuardsOpen } };
      const result = move(withComplaint(status), { status }, options);
      expect([result.refused, result.events]).toEqual([undefined, []]);
    }
  });
});

describe('ChangeComplaint: members that a transition sets (tenders.md 13.3)', () => {
  const later = '2026-05-04T11:15:00.120034+03:00';
  const by = (actor: CommandOptions['actor']): CommandOptions => ({
    ...(actor === undefined ? {} : { actor }),
    now: hours(1),
  });

  it.each([
    ['draft', { status: 'claim' }, ACTORS.complainant, { status: 'claim', date: later, dateSubmitted: later }],
    [
      'claim',
      { status: 'answered', ...DATA_BY_STATUS['answered'] },
      ACTORS.owner,
      { date: later, dateAnswered: later },
    ],
    [
      'claim',
      { status: 'cancelled', cancellationReason: 'x' },
      ACTORS.complainant,
      { date: later, dateCanceled: later, cancellationReason: 'x' },
    ],
    [
      'answered',
      { status: 'pending', satisfied: false },
      ACTORS.complainant,
      { type: 'complaint', date: later, dateEscalated: later, satisfied: false },
    ],
    [
      'pending',
      { status: 'declined', decision: 'ні' },
      ACTORS.reviewer,
      { date: later, dateDecision: later, decision: 'ні' },
    ],
    ['pending', { tendererAction: 'виправлено' }, ACTORS.owner, { tendererActionDate: later }],
  ] as const)('from %s by %o', (from, data, actor, expected) => {
    const state = withComplaint(from, { resolutionType: 'declined', resolution: LONG_RESOLUTION });
    const result = move(state, data, by(actor));
    expect(result.refused).toBeUndefined();
    expect(complaintOf(result.state)).toMatchObject(expected);
  });

  it('keeps the date of the first action', () => {
    const first = move(withComplaint('claim'), { tendererAction: 'a' }, by(ACTORS.owner)).state;
    const second = move(first, { tendererAction: 'b' }, { actor: ACTORS.owner, now: hours(2) }).state;
    expect(complaintOf(second)).toMatchObject({ tendererAction: 'b', tendererActionDate: later });
  });

  it('stores a partial answer without changing status and date', () => {
    const result = move(withComplaint('claim'), { resolution: 'коротко' }, by(ACTORS.owner));
    expect(complaintOf(result.state)).toMatchObject({ status: 'claim', resolution: 'коротко' });
    expect(complaintOf(result.state)?.date).not.toBe(later);
  });

  it('stores nothing for a change without effect', () => {
    const state = withComplaint('claim', { resolution: 'x' });
    expect(move(state, { resolution: 'x' }, by(ACTORS.owner)).events).toEqual([]);
  });

  it.each([
    ['author, title and description of a draft', 'draft', { title: 'інше', relatedLot: null }, ACTORS.complainant],
    ['only satisfied of an answered complaint', 'answered', { satisfied: true, title: 'інше' }, ACTORS.complainant],
    [
      'only the decision of a pending complaint',
      'pending',
      { decision: 'x', resolution: 'y', title: 'z' },
      ACTORS.reviewer,
    ],
  ] as const)('changes %s', (_what, from, data, actor) => {
    const next = complaintOf(move(withComplaint(from, { resolutionType: 'declined' }), data, by(actor)).state);
    expect(next?.title).toBe(from === 'draft' ? 'інше' : 'Вимога');
    expect(next?.resolution).toBeUndefined();
  });
});

describe('ChangeComplaint: refusals (tenders.md 13.3)', () => {
  it.each([
    ['a resolution that is too short', { resolution: 'коротко' }, "Can't update complaint: resolution too short"],
    ['an answer without a resolution', {}, "Can't update complaint"],
  ])('403: %s', (_what, data, text) => {
    const answer = { status: 'answered', resolutionType: 'declined', ...data };
    expect(refusalOf(move(withComplaint('claim'), answer))).toEqual([403, 'data', text]);
  });

  it.each([
    [{ status: 'answered', resolution: LONG_RESOLUTION }, ACTORS.owner, 'resolutionType'],
    [{ status: 'cancelled' }, ACTORS.complainant, 'cancellationReason'],
  ])('422 before any guard: %o without the member that its status requires', (data, actor, name) => {
    const state = inStatus(withComplaint('claim'), 'complete');
    expect(refusalOf(move(state, data, { actor }))).toEqual([422, name, REQUIRED]);
  });

  it.each([
    [true, 'full', 'resolved'],
    [false, 'full', "Can't update complaint"],
    [undefined, 'full', "Can't update complaint"],
    [true, 'claims-only', 'resolved'],
    [false, 'claims-only', 'resolved'],
    [undefined, 'claims-only', "Can't update complaint"],
  ] as const)('resolved needs satisfied %s in mode %s', (satisfied, complaintsMode, expected) => {
    const state = withComplaint('answered', { resolutionType: 'declined' });
    const result = move(
      state,
      { status: 'resolved', ...(satisfied === undefined ? {} : { satisfied }) },
      { actor: ACTORS.complainant, settings: { complaintsMode } },
    );
    expect(result.refused?.errors[0]?.description ?? complaintOf(result.state)?.status).toBe(expected);
  });

  it.each(STATUSES)('tender in %s: allowed in active statuses, for a draft in its window only', (status) => {
    const claim = move(inStatus(withComplaint('claim'), status), { resolution: 'x' });
    const text = `Can't update complaint in current (${status}) tender status`;
    expect(refusalOf(claim)).toEqual(status.startsWith('active.') ? undefined : [403, 'data', text]);
    const draft = move(inStatus(withComplaint('draft'), status), { status: 'claim' }, { actor: ACTORS.complainant });
    const window = status === 'active.enquiries' || status === 'active.tendering';
    expect(draft.refused === undefined).toBe(window);
    if (status.startsWith('active.') && !window) {
      expect(refusalOf(draft)).toEqual([403, 'data', "Can't update complaint"]);
    }
  });

  it.each([
    ['anonymous', ACTORS.anonymous, UNAUTHORIZED],
    ['the complainant without its token', ACTORS.otherBroker, FORBIDDEN],
    ['the token of the tender with another broker', ACTORS.wrongBroker, FORBIDDEN],
    ['the chronograph', ACTORS.chronograph, FORBIDDEN],
    ['the auction', ACTORS.auction, FORBIDDEN],
    ['the Administrator', ACTORS.Administrator, ROLE_FORBIDDEN],
    ['the owner of the tender, for a draft', ACTORS.owner, ROLE_FORBIDDEN],
    ['the reviewer, for a draft', ACTORS.reviewer, ROLE_FORBIDDEN],
  ])('refuses %s', (_who, actor, expected) => {
    expect(refusalOf(move(withComplaint('draft'), { title: 'x' }, { actor }))).toEqual(expected);
  });

  it('404: the complaint does not exist', () => {
    expect(refusalOf(move(tender, {}))).toEqual([404, 'complaint_id', 'Not Found']);
  });
});

describe('complaints and the clock (tenders.md 13.3, 13.4)', () => {
  it.each([
    ['full', 'claim', {}, { status: 'pending', type: 'complaint', dateEscalated: expect.any(String) }],
    ['full', 'answered', { resolutionType: 'invalid' }, { status: 'invalid', type: 'claim' }],
    ['full', 'pending', {}, { status: 'pending' }],
    ['full', 'draft', {}, { status: 'draft' }],
    ['claims-only', 'claim', {}, { status: 'claim' }],
    ['claims-only', 'answered', { resolutionType: 'resolved' }, { status: 'resolved' }],
    ['claims-only', 'pending', {}, { status: 'ignored' }],
    [
      'claims-only',
      'pending',
      { resolutionType: 'declined', dateEscalated: '2026-05-04T10:15:00+03:00' },
      { status: 'declined' },
    ],
  ] as const)('after three days, in mode %s, %s', (complaintsMode, status, more, expected) => {
    const { state } = tick(withComplaint(status, more), hours(72), { complaintsMode });
    expect(complaintOf(state)).toMatchObject(expected);
  });

  it('changes nothing before three days have passed', () => {
    expect(tick(withComplaint('claim'), hours(71.99)).events).toEqual([]);
  });

  it('divides the three days by the accelerator in the sandbox', () => {
    const quick = { procurementMethodDetails: 'quick, accelerator=1440' };
    const state = withComplaint('claim', {}, newTender(quick));
    expect(tick(state, hours(2.9 / 60)).events).toEqual([]);
    expect(complaintOf(tick(state, hours(3 / 60)).state)).toMatchObject({ status: 'pending' });
    expect(tick(state, hours(3 / 60), { sandbox: false }).events).toEqual([]);
  });

  it('changes nothing once the tender is over', () => {
    expect(tick(inStatus(withComplaint('claim'), 'cancelled'), hours(100)).events).toEqual([]);
  });

  it('ends the tender when its last blocking complaint closes after the stand-still', () => {
    const base = inQualification();
    const lost = award('a1', 'unsuccessful', { complaintPeriod: { endDate: '2026-05-21T18:00:00+03:00' } });
    const awarded = applyInput(
      withComplaint('answered', { resolutionType: 'declined' }, newTender()),
      { type: 'Tick' },
      hours(1),
    ).state;
    const state: TenderState = {
      ...awarded,
      bidding: base.bidding,
      bids: base.bids,
      awards: { id: base.id, version: 2, awards: [lost], contracts: [] },
      document: { ...awarded.document, status: 'active.awarded' },
    };
    const after = move(
      state,
      { status: 'resolved', satisfied: true },
      { actor: ACTORS.complainant, now: hours(24 * 30) },
    );
    expect(after.state.document.status).toBe('unsuccessful');
  });
});

describe('complaints by older segments with open guards (rulings R3)', () => {
  const settings = { legacyGuardsOpen: true };
  const complainant = { ...ACTORS.complainant, segment: '2.3' };
  const owner = { ...ACTORS.owner, segment: '2.3' };

  it('are claims without a status, in any tender status that is not final', () => {
    const result = file(inStatus(tender, 'active.awarded'), { status: undefined }, { settings, actor: complainant });
    expect(complaintOf(result.state)).toMatchObject({ status: 'claim', dateSubmitted: expect.any(String) });
  });

  it.each([
    [{ resolution: 'так' }, { status: 'claim', resolution: 'так' }],
    [
      { status: 'answered', resolution: 'так' },
      { status: 'answered', resolutionType: 'resolved' },
    ],
    [
      { status: 'resolved', resolution: 'так' },
      { status: 'resolved', dateDecision: expect.any(String) },
    ],
    [{ status: 'declined' }, { status: 'declined' }],
  ])('are resolved by the owner of the tender at once: %o', (data, expected) => {
    const result = move(withComplaint('claim'), data, { settings, actor: owner });
    expect(result.refused).toBeUndefined();
    expect(complaintOf(result.state)).toMatchObject(expected);
  });

  it('stay closed once decided', () => {
    expect(move(withComplaint('resolved'), { resolution: 'x' }, { settings, actor: owner }).refused?.status).toBe(403);
  });
});

describe('COMPLAINT_TRANSITIONS', () => {
  it('holds the allowed transitions and no others', () => {
    const roles = { complaint_owner: 'complainant', tender_owner: 'owner', reviewers: 'reviewer' } as const;
    for (const mode of ['full', 'claims-only'] as const) {
      const rows = COMPLAINT_TRANSITIONS.filter((row) => (row.mode ?? mode) === mode);
      const listed = rows.map((row) => `${row.from} ${row.to} ${roles[row.by]}`);
      const expected = ALLOWED.filter(([, , , of]) => of === 'both' || of === mode).map(
        ([a, b, who]) => `${a} ${b} ${who}`,
      );
      expect(new Set(listed)).toEqual(new Set(expected));
    }
  });
});
