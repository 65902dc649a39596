import { describe, expect, it } from 'vitest';
import { COMPLAINT_STATUSES, type ComplaintStatus } from '@procurement/contracts/resources/complaint';
import { COMPLAINT_TRANSITIONS, type ComplaintsMode } from '@procurement/domain/complaints';
import {
  ACTORS,
  add,
  AUTHOR,
  award,
  awardsInput,
  change,
  applyInput,
  FORBIDDEN,
  hours,
  idOf,
  inStatus,
  LOT_1,
  tenderWithLots,
  newTender,
  ROLE_FORBIDDEN,
  inQualification,
  refusalOf,
  REQUIRED,
  TENDERING_ENDS,
  tick,
  UNAUTHORIZED,
  type CommandOptions,
  type Data,
} from '../../test-support/run-command.ts';
import { STATUSES } from '../../test-support/statuses.ts';
import type { TenderState } from './tender.ts';

const tender = newTender();
const LONG_RESOLUTION = 'Вимога відповідає стандарту ДСТУ';

function file(state: TenderState, data: Data = {}, options: CommandOptions = {}) {
  const body = { author: AUTHOR, title: 'Вимога', status: 'claim', ...data };
  return add(state, 'FileComplaint', body, { actor: ACTORS.complainant, ...options });
}

/** A tender with one complaint, brought into a status without asking how it came there. */
function withComplaint(status: ComplaintStatus, more: Data = {}, state = tender): TenderState {
  const filed = file(state).state;
  const [complaint] = filed.document.complaints ?? [];
  if (complaint === undefined) throw new Error('nothing was filed');
  const dates = { dateSubmitted: complaint.date, dateAnswered: complaint.date };
  return {
    ...filed,
    document: { ...filed.document, complaints: [{ ...complaint, ...dates, status, ...more }] },
  };
}

function move(state: TenderState, data: Data, options: CommandOptions = {}) {
  return change(state, 'ChangeComplaint', idOf('9'), data, options);
}

function complaintOf(state: TenderState) {
  return state.document.complaints?.[0];
}

describe('FileComplaint (tenders.md 13.2)', () => {
  it('files a claim at once, with its number and its date of submission', () => {
    const { state } = file(tender, { description: 'Пункт 3', resolution: 'mine', decision: 'mine' });
    expect(complaintOf(state)).toEqual({
      author: { ...AUTHOR },
      title: 'Вимога',
      description: 'Пункт 3',
      status: 'claim',
      type: 'claim',
      id: idOf('9'),
      complaintID: 'UA-2026-05-04-000001.1',
      date: '2026-05-04T10:15:00.120034+03:00',
      dateSubmitted: '2026-05-04T10:15:00.120034+03:00',
    });
    expect(state.complaintOwners[idOf('9')]).toMatchObject({ owner: 'seller', tokenHash: 'c'.repeat(64) });
  });

  it.each([undefined, 'draft', 'pending', 'resolved'])('makes a draft of status %s', (status) => {
    expect(complaintOf(file(tender, { status }).state)).toMatchObject({ status: 'draft' });
  });

  it('numbers one after the other, those about awards counted', () => {
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

  it('may be about a lot', () => {
    expect(complaintOf(file(tenderWithLots(), { relatedLot: LOT_1 }).state)).toMatchObject({ relatedLot: LOT_1 });
  });

  it.each(STATUSES)('in %s: enquiries and tendering are the window', (status) => {
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

/** From, to, by, and the mode that has it: tenders.md 13.3 written down once more, by hand. */
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
      const played = move(state, { ...extra, status: to }, { actor: ACTORS[who], settings, now: hours(1) });
      const allowed = ALLOWED.some(
        ([a, b, role, of]) => a === from && b === to && role === who && (of === 'both' || of === mode),
      );
      // The owner's view of a pending complaint has no status: the wish for one is passed over.
      const passedOver = who === 'owner' && from === 'pending' && mode === 'full';
      const done = played.refused === undefined ? complaintOf(played.state)?.status : 'refused';
      expect(done).toBe(allowed ? to : passedOver ? 'pending' : 'refused');
      if (played.refused !== undefined) expect(played.state).toBe(state);
    });

    it.each([...CLOSED] as ComplaintStatus[])(
      '%s is the end: a withdrawal says so, anything else has no view',
      (from) => {
        const state = withComplaint(from, { cancellationReason: 'x' });
        const withdrawal = { status: 'cancelled', cancellationReason: 'x' };
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

describe('ChangeComplaint: what a move sets (tenders.md 13.3)', () => {
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
    const played = move(state, data, by(actor));
    expect(played.refused).toBeUndefined();
    expect(complaintOf(played.state)).toMatchObject(expected);
  });

  it('the date of the first action stays', () => {
    const first = move(withComplaint('claim'), { tendererAction: 'a' }, by(ACTORS.owner)).state;
    const second = move(first, { tendererAction: 'b' }, { actor: ACTORS.owner, now: hours(2) }).state;
    expect(complaintOf(second)).toMatchObject({ tendererAction: 'b', tendererActionDate: later });
  });

  it('saves a partial answer without moving anything', () => {
    const played = move(withComplaint('claim'), { resolution: 'коротко' }, by(ACTORS.owner));
    expect(complaintOf(played.state)).toMatchObject({ status: 'claim', resolution: 'коротко' });
    expect(complaintOf(played.state)?.date).not.toBe(later);
  });

  it('nothing new is nothing done', () => {
    const state = withComplaint('claim', { resolution: 'x' });
    expect(move(state, { resolution: 'x' }, by(ACTORS.owner)).events).toEqual([]);
  });

  it.each([
    ['author, title and description of a draft', 'draft', { title: 'інше', relatedLot: null }, ACTORS.complainant],
    ['only satisfied of an answered one', 'answered', { satisfied: true, title: 'інше' }, ACTORS.complainant],
    ['only the decision of a pending one', 'pending', { decision: 'x', resolution: 'y', title: 'z' }, ACTORS.reviewer],
  ] as const)('a role changes %s', (_what, from, data, actor) => {
    const next = complaintOf(move(withComplaint(from, { resolutionType: 'declined' }), data, by(actor)).state);
    expect(next?.title).toBe(from === 'draft' ? 'інше' : 'Вимога');
    expect(next?.resolution).toBeUndefined();
  });
});

describe('ChangeComplaint: refusals in their order (tenders.md 13.3)', () => {
  it.each([
    ['an answer that is too short', { resolution: 'коротко' }, "Can't update complaint: resolution too short"],
    ['an answer without a word', {}, "Can't update complaint"],
  ])('403: %s', (_what, data, text) => {
    const wish = { status: 'answered', resolutionType: 'declined', ...data };
    expect(refusalOf(move(withComplaint('claim'), wish))).toEqual([403, 'data', text]);
  });

  it.each([
    [{ status: 'answered', resolution: LONG_RESOLUTION }, ACTORS.owner, 'resolutionType'],
    [{ status: 'cancelled' }, ACTORS.complainant, 'cancellationReason'],
  ])('422: what a status demands, before any guard', (data, actor, name) => {
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
    const played = move(
      state,
      { status: 'resolved', ...(satisfied === undefined ? {} : { satisfied }) },
      { actor: ACTORS.complainant, settings: { complaintsMode } },
    );
    expect(played.refused?.errors[0]?.description ?? complaintOf(played.state)?.status).toBe(expected);
  });

  it.each(STATUSES)('in a tender that is %s: acted upon while it is active, a draft in its window only', (status) => {
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
    ['the token of the tender with another broker', ACTORS.thief, FORBIDDEN],
    ['the chronograph', ACTORS.chronograph, FORBIDDEN],
    ['the auction', ACTORS.auction, FORBIDDEN],
    ['the Administrator', ACTORS.Administrator, ROLE_FORBIDDEN],
    ['the owner of the tender, of a draft', ACTORS.owner, ROLE_FORBIDDEN],
    ['the reviewer, of a draft', ACTORS.reviewer, ROLE_FORBIDDEN],
  ])('refuses %s', (_who, actor, expected) => {
    expect(refusalOf(move(withComplaint('draft'), { title: 'x' }, { actor }))).toEqual(expected);
  });

  it('404: of no such complaint', () => {
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

  it('nothing moves before three days have passed', () => {
    expect(tick(withComplaint('claim'), hours(71.99)).events).toEqual([]);
  });

  it('three days are divided by the accelerator, in the sandbox only', () => {
    const quick = { procurementMethodDetails: 'quick, accelerator=1440' };
    const state = withComplaint('claim', {}, newTender(quick));
    expect(tick(state, hours(2.9 / 60)).events).toEqual([]);
    expect(complaintOf(tick(state, hours(3 / 60)).state)).toMatchObject({ status: 'pending' });
    expect(tick(state, hours(3 / 60), { sandbox: false }).events).toEqual([]);
  });

  it('nothing moves by the clock once the tender is over', () => {
    expect(tick(inStatus(withComplaint('claim'), 'cancelled'), hours(100)).events).toEqual([]);
  });

  it('the move that closes the last blocker ends a tender whose stand-still is over', () => {
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

describe('complaints by older segments without guards (rulings R3)', () => {
  const settings = { legacyGuardsOpen: true };
  const complainant = { ...ACTORS.complainant, segment: '2.3' };
  const owner = { ...ACTORS.owner, segment: '2.3' };

  it('count as filed without a status, in any status that is not final', () => {
    const played = file(inStatus(tender, 'active.awarded'), { status: undefined }, { settings, actor: complainant });
    expect(complaintOf(played.state)).toMatchObject({ status: 'claim', dateSubmitted: expect.any(String) });
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
  ])('the owner of the tender resolves at once: %o', (data, expected) => {
    const played = move(withComplaint('claim'), data, { settings, actor: owner });
    expect(played.refused).toBeUndefined();
    expect(complaintOf(played.state)).toMatchObject(expected);
  });

  it('a decided one stays closed', () => {
    expect(move(withComplaint('resolved'), { resolution: 'x' }, { settings, actor: owner }).refused?.status).toBe(403);
  });
});

describe('the table of transitions', () => {
  it('holds every allowed move, and no other', () => {
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
