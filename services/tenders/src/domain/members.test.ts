import { CancellationInput } from '@procurement/contracts/resources/cancellation';
import { COMPLAINT_STATUSES, ComplaintInput } from '@procurement/contracts/resources/complaint';
import { Lot } from '@procurement/contracts/resources/lot';
import { QuestionInput } from '@procurement/contracts/resources/question';
import { SandboxTenderInput } from '@procurement/contracts/resources/tender';
import { editableMembersFor } from '@procurement/domain/complaints';
import { ACTORS } from '@procurement/testing/actors';
import { AUTHOR } from '@procurement/testing/bodies';
import { padId, LOT_1 } from '@procurement/testing/ids';
import { describe, expect, it } from 'vitest';
import {
  add,
  change,
  newTender,
  NOW,
  patch,
  SETTINGS,
  tenderWithLots,
  type Data,
} from '../../test-support/run-command.ts';
import { UNGUARDED_MEMBERS } from './complaint.window.ts';
import { LOT_OWNER_EDITS } from './lot.decide.ts';
import { OWNER_EDITS } from './tender.permissions.ts';
import { chronographView, FEED_MEMBERS, publicView } from './tender.view.ts';

// Every member of an input shape is decided on here: whether a client sets it, who may change it, and where it is shown.
// A member that contracts adds fails these tests until it has a row, and until the tables of the code agree with the row.

const MISSING_ROW = 'every member of the input shape needs a row in this file';
const OLD_DATE = '2020-01-01T00:00:00+02:00';

/** Where a member is shown beside the public view: in the rows of the feed (http.md 1.4), to the chronograph (tenders.md 9.4). */
type ShownIn = 'feed' | 'chronograph';

interface TenderMember {
  /** Which value a creation stores. */
  readonly creation: 'client' | 'service';
  /** Why a PATCH or PUT by the owner does not change it; `undefined` when it does. */
  readonly notEditedBecause?: string;
  /** How the public view shows it: as it is stored, or computed by `publicView`; `hidden` is never stored. */
  readonly view: 'stored' | 'computed' | 'hidden';
  readonly shownIn: readonly ShownIn[];
  /** A valid value that must have no effect at creation and on PATCH. */
  readonly ignoredSample?: unknown;
}

/** A client sets it at creation, and the owner may edit it. */
function edited(...shownIn: readonly ShownIn[]): TenderMember {
  return { creation: 'client', view: 'stored', shownIn };
}

/** A client sets it at creation only. */
function createdOnly(reason: string, view: 'stored' | 'computed', ...shownIn: readonly ShownIn[]): TenderMember {
  return { creation: 'client', notEditedBecause: reason, view, shownIn };
}

/** A client's value is ignored. */
function byService(
  reason: string,
  view: TenderMember['view'],
  ignoredSample: unknown,
  ...shownIn: readonly ShownIn[]
): TenderMember {
  return { creation: 'service', notEditedBecause: reason, view, shownIn, ignoredSample };
}

const OWN_ENDPOINTS = 'changed through its own endpoints';
const PROCEDURE = 'fixed for the procedure (tenders.md 3.1)';

const TENDER: Readonly<Record<keyof typeof SandboxTenderInput.shape, TenderMember>> = {
  title: edited('feed'),
  title_en: edited(),
  title_ru: edited(),
  description: edited(),
  description_en: edited(),
  description_ru: edited(),
  procurementMethodRationale: edited(),
  procurementMethodRationale_en: edited(),
  procurementMethodRationale_ru: edited(),
  procurementMethodDetails: edited(),
  submissionMethodDetails: edited('chronograph'),
  submissionMethodDetails_en: edited(),
  submissionMethodDetails_ru: edited(),
  awardCriteriaDetails: edited(),
  awardCriteriaDetails_en: edited(),
  awardCriteriaDetails_ru: edited(),
  eligibilityCriteria: edited(),
  eligibilityCriteria_en: edited(),
  eligibilityCriteria_ru: edited(),
  mainProcurementCategory: edited(),
  milestones: edited(),
  hasEnquiries: edited(),
  numberOfBidders: edited(),
  procuringEntity: edited('feed'),
  value: edited('feed'),
  minimalStep: edited(),
  guarantee: edited(),
  items: edited(),
  features: edited(),
  enquiryPeriod: edited('feed', 'chronograph'),
  tenderPeriod: edited('feed', 'chronograph'),
  mode: createdOnly('only the Administrator changes it (tenders.md 1.7)', 'stored', 'feed', 'chronograph'),
  lots: createdOnly(OWN_ENDPOINTS, 'computed', 'feed', 'chronograph'),
  status: byService(
    'a creation chooses draft or active.enquiries, later the procedure decides (tenders.md 8.2)',
    'stored',
    'active.awarded',
    'feed',
    'chronograph',
  ),
  id: byService('identifies the tender', 'stored', 'x'.repeat(32), 'chronograph'),
  tenderID: byService('numbered by the service (tenders.md 7.1)', 'stored', 'UA-2020-01-01-000001', 'feed'),
  owner: byService('the broker of the creation (http.md 3.3)', 'stored', 'another'),
  owner_token: byService('secret', 'hidden', 'f'.repeat(32)),
  date: byService('the last change of status (tenders.md 8.1)', 'stored', OLD_DATE),
  dateCreated: byService('the moment of the creation (contracting.md 10.1)', 'stored', OLD_DATE),
  dateModified: byService('the position in the feed (http.md 1.8)', 'computed', OLD_DATE),
  next_check: byService('computed from the deadlines (tenders.md 9.1)', 'computed', OLD_DATE, 'feed'),
  procurementMethod: byService(PROCEDURE, 'stored', 'limited', 'feed'),
  // Any other value is refused, so there is no value to ignore.
  procurementMethodType: byService(PROCEDURE, 'stored', undefined, 'feed'),
  submissionMethod: byService(PROCEDURE, 'stored', 'written'),
  awardCriteria: byService(PROCEDURE, 'stored', 'singleBidOnly'),
  auctionPeriod: byService(
    'planned by the auction service (tenders.md 9.3)',
    'computed',
    { startDate: '2026-06-01T11:00:00+03:00' },
    'feed',
    'chronograph',
  ),
  auctionUrl: byService('published by the auction', 'stored', 'https://auction.example.org/1'),
  awardPeriod: byService(
    'set with the first award; the owner plans it on segment 0.1 only (generations.md 4)',
    'stored',
    { startDate: '2026-07-01T00:00:00+03:00' },
    'feed',
    'chronograph',
  ),
  numberOfBids: byService('counted by the service', 'computed', 7, 'chronograph'),
  bidsSeal: byService('made by the bids service at the closing (proof.md 5.1)', 'stored', {
    date: OLD_DATE,
    hash: `sha256:${'0'.repeat(64)}`,
  }),
  bids: byService(OWN_ENDPOINTS, 'computed', [{ id: 'x' }]),
  awards: byService(OWN_ENDPOINTS, 'computed', [{ id: 'x' }], 'chronograph'),
  contracts: byService(OWN_ENDPOINTS, 'computed', [{ id: 'x' }]),
  documents: byService(OWN_ENDPOINTS, 'computed', [{ id: 'x' }]),
  questions: byService(OWN_ENDPOINTS, 'computed', [{ id: 'x' }]),
  complaints: byService(OWN_ENDPOINTS, 'computed', [{ id: 'x' }], 'chronograph'),
  cancellations: byService(OWN_ENDPOINTS, 'computed', [{ id: 'x' }]),
};

const TENDER_ROWS = Object.entries(TENDER);

function tenderMembers(isIncluded: (row: TenderMember) => boolean): readonly string[] {
  return TENDER_ROWS.flatMap(([name, row]) => (isIncluded(row) ? [name] : [])).sort();
}

function memberNamesOf(shape: object): readonly string[] {
  return Object.keys(shape).sort();
}

describe('members of a tender', () => {
  it('are all decided on', () => {
    expect(Object.keys(TENDER).sort(), MISSING_ROW).toEqual(memberNamesOf(SandboxTenderInput.shape));
  });

  it('are edited by the owner if they are in OWNER_EDITS (tenders.md 3.1)', () => {
    expect(tenderMembers((row) => row.notEditedBecause === undefined)).toEqual([...OWNER_EDITS].sort());
  });

  it('are served from the row of the feed if they are in FEED_MEMBERS (http.md 1.4)', () => {
    expect(tenderMembers((row) => row.shownIn.includes('feed'))).toEqual([...FEED_MEMBERS].sort());
  });

  it('are shown to the chronograph if they are in its view (tenders.md 9.4)', () => {
    const shown = Object.keys(chronographView(newTender(), NOW, SETTINGS)).sort();
    expect(tenderMembers((row) => row.shownIn.includes('chronograph'))).toEqual(shown);
  });

  it.each(TENDER_ROWS.filter(([, row]) => row.view === 'stored').map(([name]) => name))(
    '%s is in the public view as it is stored (tenders.md 10)',
    (name) => {
      const state = newTender();
      // Visibility depends on the status, so the stored one stays. Other values are not read by the view.
      const value = name === 'status' ? state.document.status : `value of ${name}`;
      const document = { ...state.document, [name]: value };
      expect(publicView({ ...state, document }, NOW, SETTINGS)[name]).toBe(value);
    },
  );

  it.each(TENDER_ROWS.filter(([, row]) => row.ignoredSample !== undefined))(
    '%s of a client has no effect',
    (name, { ignoredSample }) => {
      const created: Data = { ...newTender({ [name]: ignoredSample }).document };
      expect(created[name]).not.toEqual(ignoredSample);
      const patched = patch(newTender(), { [name]: ignoredSample });
      expect([patched.refused, patched.events]).toEqual([undefined, []]);
    },
  );
});

interface SubresourceMember {
  /** Which value a creation stores. */
  readonly creation: 'client' | 'service';
  /** Why no PATCH changes it; `undefined` when one does. */
  readonly notEditedBecause?: string;
  readonly sample: unknown;
}

/** A client sets it at creation, and a PATCH changes it. */
function setAndEdited(sample: unknown): SubresourceMember {
  return { creation: 'client', sample };
}

/** A client sets it at creation only. */
function setOnce(sample: unknown, reason: string): SubresourceMember {
  return { creation: 'client', sample, notEditedBecause: reason };
}

/** A PATCH sets it; at creation it is ignored. */
function editedLater(sample: unknown): SubresourceMember {
  return { creation: 'service', sample };
}

/** A client's value is ignored. */
function setByService(sample: unknown, reason: string): SubresourceMember {
  return { creation: 'service', sample, notEditedBecause: reason };
}

const DATE = 'a date of the service';
const ID = 'identifies the object';
const CONTENT = 'the content stays as it was published';
const TARGET = 'the object that it is about stays';

const LOT: Readonly<Record<keyof typeof Lot.shape, SubresourceMember>> = {
  id: setOnce('a'.repeat(32), ID),
  title: setAndEdited('Лот'),
  title_en: setAndEdited('Lot'),
  title_ru: setAndEdited('Лот'),
  description: setAndEdited('x'),
  description_en: setAndEdited('x'),
  description_ru: setAndEdited('x'),
  value: setAndEdited({ amount: 50, currency: 'UAH', valueAddedTaxIncluded: true }),
  minimalStep: setAndEdited({ amount: 5, currency: 'UAH', valueAddedTaxIncluded: true }),
  guarantee: setAndEdited({ amount: 1, currency: 'UAH' }),
  status: setByService('complete', 'the procedure decides (tenders.md 8.2)'),
  date: setByService(OLD_DATE, DATE),
  auctionPeriod: setByService(
    { startDate: '2026-06-01T11:00:00+03:00' },
    'planned by the auction service (tenders.md 9.3)',
  ),
  auctionUrl: setByService('https://auction.example.org/1', 'published by the auction'),
  numberOfBids: setByService(7, 'counted by the service'),
};

const QUESTION: Readonly<Record<keyof typeof QuestionInput.shape, SubresourceMember>> = {
  id: setByService('x', ID),
  author: setOnce(AUTHOR, CONTENT),
  title: setOnce('Питання', CONTENT),
  description: setOnce('x', CONTENT),
  questionOf: setOnce('lot', TARGET),
  relatedItem: setOnce(LOT_1, TARGET),
  date: setByService(OLD_DATE, DATE),
  answer: editedLater('так'),
  dateAnswered: setByService(OLD_DATE, DATE),
};

const CANCELLATION: Readonly<Record<keyof typeof CancellationInput.shape, SubresourceMember>> = {
  id: setByService('x', ID),
  reason: setOnce('Немає потреби', CONTENT),
  reason_en: setOnce('x', CONTENT),
  reason_ru: setOnce('x', CONTENT),
  status: setAndEdited('pending'),
  cancellationOf: setOnce('lot', TARGET),
  relatedLot: setOnce(LOT_1, TARGET),
  date: setByService(OLD_DATE, DATE),
  documents: setByService([{ id: 'x' }], OWN_ENDPOINTS),
};

const COMPLAINT: Readonly<Record<keyof typeof ComplaintInput.shape, SubresourceMember>> = {
  id: setByService('x', ID),
  complaintID: setByService('x', 'numbered by the service (tenders.md 7.1)'),
  type: setByService('complaint', 'an escalation sets it (tenders.md 13.3)'),
  status: setAndEdited('claim'),
  author: setAndEdited(AUTHOR),
  title: setAndEdited('Вимога'),
  description: setAndEdited('x'),
  relatedLot: setOnce(LOT_1, TARGET),
  date: setByService(OLD_DATE, DATE),
  dateSubmitted: setByService(OLD_DATE, DATE),
  resolution: editedLater('x'),
  resolutionType: editedLater('resolved'),
  tendererAction: editedLater('x'),
  tendererActionDate: setByService(OLD_DATE, DATE),
  dateAnswered: setByService(OLD_DATE, DATE),
  satisfied: editedLater(true),
  dateEscalated: setByService(OLD_DATE, DATE),
  decision: editedLater('x'),
  dateDecision: setByService(OLD_DATE, DATE),
  cancellationReason: editedLater('x'),
  dateCanceled: setByService(OLD_DATE, DATE),
  documents: setByService([{ id: 'x' }], OWN_ENDPOINTS),
};

/** What a POST of all samples stores: the last object of the collection. */
function createdObject(type: Parameters<typeof add>[1], rows: Readonly<Record<string, SubresourceMember>>): Data {
  const samples = Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, row.sample]));
  const actor = type === 'AskQuestion' || type === 'FileComplaint' ? ACTORS.complainant : ACTORS.owner;
  const { state, refused } = add(tenderWithLots(), type, samples, { actor });
  expect(refused).toBeUndefined();
  const { questions, complaints, cancellations, lots } = state.document;
  const list = { AskQuestion: questions, FileComplaint: complaints, AddCancellation: cancellations, AddLot: lots }[
    type
  ];
  return { ...list?.at(-1) };
}

describe.each([
  ['lot', 'AddLot', LOT, Lot.shape],
  ['question', 'AskQuestion', QUESTION, QuestionInput.shape],
  ['cancellation', 'AddCancellation', CANCELLATION, CancellationInput.shape],
  ['complaint', 'FileComplaint', COMPLAINT, ComplaintInput.shape],
] as const)('members of a %s', (_kind, type, rows, shape) => {
  it('are all decided on', () => {
    expect(Object.keys(rows).sort(), MISSING_ROW).toEqual(memberNamesOf(shape));
  });

  it('are stored at creation as decided', () => {
    const created = createdObject(type, rows);
    const stored = Object.entries<SubresourceMember>(rows).map(([name, { sample }]) => [
      name,
      JSON.stringify(created[name]) === JSON.stringify(sample) ? 'client' : 'service',
    ]);
    expect(stored).toEqual(Object.entries<SubresourceMember>(rows).map(([name, { creation }]) => [name, creation]));
  });
});

function editedMembers(rows: Readonly<Record<string, SubresourceMember>>): readonly string[] {
  return Object.entries(rows)
    .flatMap(([name, row]) => (row.notEditedBecause === undefined ? [name] : []))
    .sort();
}

describe('members that a PATCH changes', () => {
  it('of a lot are LOT_OWNER_EDITS (tenders.md 6.3)', () => {
    expect(editedMembers(LOT)).toEqual([...LOT_OWNER_EDITS].sort());
  });

  it('of a complaint are those that a role may set in some status (tenders.md 13.3)', () => {
    const editable = (['complaint_owner', 'tender_owner', 'reviewers'] as const).flatMap((role) =>
      COMPLAINT_STATUSES.flatMap((from) =>
        COMPLAINT_STATUSES.flatMap((requested) => editableMembersFor(role, from, requested) ?? []),
      ),
    );
    expect(editedMembers(COMPLAINT)).toEqual([...new Set(editable)].sort());
    expect(editedMembers(COMPLAINT)).toEqual(expect.arrayContaining([...UNGUARDED_MEMBERS]));
  });

  it.each([
    ['question', 'AskQuestion', 'AnswerQuestion', 'questions', QUESTION, ['dateAnswered']],
    ['cancellation', 'AddCancellation', 'ChangeCancellation', 'cancellations', CANCELLATION, ['date']],
  ] as const)('of a %s are found by sending every member', (_kind, addType, changeType, collection, rows, dates) => {
    const created = { title: 'x', reason: 'x', author: AUTHOR };
    const data = Object.fromEntries(Object.entries(created).filter(([name]) => name in rows));
    const { state } = add(tenderWithLots(), addType, data);
    const samples = Object.fromEntries(
      Object.entries<SubresourceMember>(rows).map(([name, row]) => [name, row.sample]),
    );
    // A cancellation that takes effect: the status of the sample is the default.
    const sent = { ...samples, ...('status' in rows ? { status: 'active' } : {}) };
    const changed = change(state, changeType, padId('9'), sent, { now: (NOW + 1) as typeof NOW });
    expect(changed.refused).toBeUndefined();
    const [before, after]: [Data, Data] = [
      { ...state.document[collection]?.[0] },
      { ...changed.state.document[collection]?.[0] },
    ];
    const changedNames = Object.keys(after).filter(
      (name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]),
    );
    expect(changedNames.sort()).toEqual([...editedMembers(rows), ...dates].sort());
  });
});
