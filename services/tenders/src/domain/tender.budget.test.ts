import {
  BROKER_SHARE_OF_QUOTA,
  OBJECT_BYTES_MAX,
  TENDER_BYTES,
  TENDER_OBJECTS_MAX,
  TENDER_QUOTAS_IN_32NDS,
  type TenderQuota,
} from '@procurement/contracts/limits';
import type { Problem } from '@procurement/contracts/problems/problems';
import type { StoredCancellation } from '@procurement/contracts/resources/cancellation';
import type { StoredComplaint } from '@procurement/contracts/resources/complaint';
import type { StoredQuestion } from '@procurement/contracts/resources/question';
import { complaintBytes, sum } from '@procurement/domain/budget';
import { jsonBytes, toJsonText } from '@procurement/domain/json-text';
import { ACTORS } from '@procurement/testing/actors';
import { AUTHOR } from '@procurement/testing/bodies';
import { padId } from '@procurement/testing/ids';
import { copies, filling, sized } from '@procurement/testing/sized';
import { describe, expect, it } from 'vitest';
import { change, newTender, NOW, patch, SETTINGS } from '../../test-support/run-command.ts';
import { budgetRefusal } from './tender.budget.ts';
import type { ChangeSubresource, TenderCommand, TenderState } from './tender.ts';

const tender = newTender();
const id = padId('1');
const body = { kind: 'data', data: {} } as const;
const meta = { now: NOW, actor: ACTORS.otherBroker, settings: SETTINGS, nextId: () => '' };
const ownIds = { id, tokenHash: '', transferHash: '' };

const COMMANDS = {
  PatchTender: { type: 'PatchTender', body, meta },
  AskQuestion: { type: 'AskQuestion', body, meta: { ...meta, ...ownIds } },
  AnswerQuestion: { type: 'AnswerQuestion', id, body, meta },
  FileComplaint: { type: 'FileComplaint', body, meta: { ...meta, ...ownIds } },
  ChangeComplaint: { type: 'ChangeComplaint', id, body, meta },
  AddCancellation: { type: 'AddCancellation', body, meta: { ...meta, ...ownIds } },
} as const satisfies Record<string, TenderCommand>;

function refusalOf(command: TenderCommand, before: TenderState, after: TenderState): Problem | undefined {
  return budgetRefusal(command, before, after, toJsonText(after.document));
}

const quotaBytes = (quota: TenderQuota): number => (TENDER_BYTES.default * TENDER_QUOTAS_IN_32NDS[quota]) / 32;

const question: StoredQuestion = {
  id,
  date: '2026-05-04T10:15:00+03:00',
  author: AUTHOR,
  title: '',
  questionOf: 'tender',
};
const complaint: StoredComplaint = {
  id,
  complaintID: '',
  type: 'claim',
  status: 'claim',
  date: '',
  author: AUTHOR,
  title: '',
};
const cancellation: StoredCancellation = { id, date: '', reason: '', status: 'pending', cancellationOf: 'tender' };

const withDocument = (members: Partial<TenderState['document']>): TenderState => ({
  ...tender,
  document: { ...tender.document, ...members },
});

/** A tender with these questions, all asked by one broker. */
function asked(questions: readonly StoredQuestion[], broker = 'seller'): TenderState {
  return {
    ...withDocument({ questions }),
    questionBrokers: Object.fromEntries(questions.map((one) => [one.id, broker])),
  };
}

function complained(complaints: readonly StoredComplaint[], owner = 'seller'): TenderState {
  const ownership = { owner, tokenHash: '', transferHash: '' };
  return {
    ...withDocument({ complaints }),
    complaintOwners: Object.fromEntries(complaints.map((one) => [one.id, ownership])),
  };
}

const authorBytes = (one: StoredComplaint): number => complaintBytes(one).author;
const replyBytes = (one: StoredComplaint): number => complaintBytes(one).replies;
const decisionBytes = (one: StoredComplaint): number => complaintBytes(one).decisions;
const termsBytes = (state: TenderState): number => jsonBytes(state.document);

interface Scenario {
  readonly command: TenderCommand;
  readonly max: number;
  /** A state that takes exactly this many bytes or objects. */
  readonly at: (measure: number) => TenderState;
}

/** One row for each limit: a state at the limit is accepted, the next one is refused. */
const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'limit.tender-terms': {
    command: COMMANDS.PatchTender,
    max: quotaBytes('terms'),
    at: (bytes) => withDocument({ description: 'a'.repeat(bytes - termsBytes(withDocument({ description: '' }))) }),
  },
  'limit.question-bytes': {
    command: COMMANDS.AskQuestion,
    max: OBJECT_BYTES_MAX.question,
    at: (bytes) => asked([sized(question, 'title', bytes)]),
  },
  'limit.questions': {
    command: COMMANDS.AskQuestion,
    max: TENDER_OBJECTS_MAX.questions.ofTender,
    at: (count) => asked(copies(question, count), 'other'),
  },
  'limit.questions-of-broker': {
    command: COMMANDS.AskQuestion,
    max: TENDER_OBJECTS_MAX.questions.ofBroker,
    at: (count) => asked(copies(question, count)),
  },
  'limit.question-quota': {
    command: COMMANDS.AskQuestion,
    max: quotaBytes('questions'),
    at: (bytes) => asked(filling(question, 'title', bytes), 'other'),
  },
  'limit.question-quota-of-broker': {
    command: COMMANDS.AskQuestion,
    max: Math.floor(quotaBytes('questions') * BROKER_SHARE_OF_QUOTA),
    at: (bytes) => asked(filling(question, 'title', bytes)),
  },
  'limit.complaint-bytes': {
    command: COMMANDS.ChangeComplaint,
    max: OBJECT_BYTES_MAX.complaint,
    at: (bytes) => complained([sized(complaint, 'title', bytes, authorBytes)]),
  },
  'limit.complaints': {
    command: COMMANDS.FileComplaint,
    max: TENDER_OBJECTS_MAX.complaints.ofTender,
    at: (count) => complained(copies(complaint, count), 'other'),
  },
  'limit.complaints-of-broker': {
    command: COMMANDS.FileComplaint,
    max: TENDER_OBJECTS_MAX.complaints.ofBroker,
    at: (count) => complained(copies(complaint, count)),
  },
  'limit.complaint-quota': {
    command: COMMANDS.FileComplaint,
    max: quotaBytes('complaints'),
    at: (bytes) => complained(filling(complaint, 'title', bytes, authorBytes), 'other'),
  },
  'limit.complaint-quota-of-broker': {
    command: COMMANDS.FileComplaint,
    max: Math.floor(quotaBytes('complaints') * BROKER_SHARE_OF_QUOTA),
    at: (bytes) => complained(filling(complaint, 'title', bytes, authorBytes)),
  },
  'limit.reply-quota': {
    command: COMMANDS.ChangeComplaint,
    max: quotaBytes('replies'),
    at: (bytes) => complained(filling(complaint, 'resolution', bytes, replyBytes)),
  },
  'limit.decision-quota': {
    command: COMMANDS.ChangeComplaint,
    max: quotaBytes('decisions'),
    at: (bytes) => complained(filling(complaint, 'decision', bytes, decisionBytes)),
  },
  'limit.cancellation-bytes': {
    command: COMMANDS.AddCancellation,
    max: OBJECT_BYTES_MAX.cancellation,
    at: (bytes) => withDocument({ cancellations: [sized(cancellation, 'reason', bytes)] }),
  },
  'limit.cancellations': {
    command: COMMANDS.AddCancellation,
    max: TENDER_OBJECTS_MAX.cancellations.ofTender,
    at: (count) => withDocument({ cancellations: copies(cancellation, count) }),
  },
  'limit.cancellation-quota': {
    command: COMMANDS.AddCancellation,
    max: quotaBytes('cancellations'),
    at: (bytes) => withDocument({ cancellations: filling(cancellation, 'reason', bytes) }),
  },
};

describe.each(Object.entries(SCENARIOS))('%s', (code, { command, max, at }) => {
  it('accepts what reaches the limit', () => {
    expect(refusalOf(command, tender, at(max))).toBeUndefined();
  });

  it('refuses what exceeds it, with the number in the text', () => {
    expect(refusalOf(command, tender, at(max + 1))).toMatchObject({
      code,
      status: 422,
      errors: [{ location: 'body', description: expect.stringContaining(`No more than ${max} `) }],
    });
  });

  it('accepts a change that adds nothing to what is above the limit', () => {
    expect(refusalOf(command, at(max + 1), at(max + 1))).toBeUndefined();
    expect(refusalOf(command, at(max + 9), at(max + 1))).toBeUndefined();
  });
});

describe('budgetRefusal', () => {
  const full = SCENARIOS['limit.question-quota']?.at(quotaBytes('questions') + 1) ?? tender;

  it('leaves each party its quota when another is full', () => {
    const withAnswer = { ...full, document: { ...full.document, description: 'new' } };
    for (const type of ['PatchTender', 'AnswerQuestion', 'FileComplaint', 'AddCancellation'] as const) {
      expect(refusalOf(COMMANDS[type], full, withAnswer), type).toBeUndefined();
    }
  });

  it('never refuses the clock, a request of the chronograph, or an event', () => {
    const after = SCENARIOS['limit.tender-terms']?.at(quotaBytes('terms') + 1) ?? tender;
    const ticking = { ...COMMANDS.PatchTender, meta: { ...meta, actor: ACTORS.chronograph } };
    expect(refusalOf(ticking, tender, after)).toBeUndefined();
    const tick = { type: 'ApplyExternalInput', input: { type: 'Tick' }, meta } as const;
    expect(refusalOf(tick, tender, after)).toBeUndefined();
  });

  it('follows the setting', () => {
    const settings = { ...SETTINGS, tenderBytesMax: TENDER_BYTES.min };
    const command: ChangeSubresource = { ...COMMANDS.AnswerQuestion, meta: { ...meta, settings } };
    const max = (TENDER_BYTES.min * TENDER_QUOTAS_IN_32NDS.replies) / 32;
    const answered = (bytes: number): TenderState =>
      asked([{ ...question, answer: 'a'.repeat(bytes - jsonBytes({ answer: '' })) }]);
    expect(refusalOf(command, tender, answered(max))).toBeUndefined();
    expect(refusalOf(command, tender, answered(max + 1))).toMatchObject({ code: 'limit.reply-quota' });
  });
});

describe('a tender that is stored above the limits (limits.md 1, rule 4)', () => {
  const huge = 'ї'.repeat(1_900_000);
  const stored = withDocument({ title: huge, questions: [{ ...question, description: huge }] });

  it('can be changed in its other members', () => {
    const { refused, state } = patch(stored, { description: 'new' });
    expect([refused, state.document.description]).toEqual([undefined, 'new']);
  });

  it('can have its questions answered', () => {
    const { refused, state } = change(stored, 'AnswerQuestion', id, { answer: 'yes' });
    expect([refused, state.document.questions?.[0]?.answer]).toEqual([undefined, 'yes']);
  });

  it('does not get another text above the limit', () => {
    const { refused } = patch(stored, { title: `${huge}!` });
    expect(refused?.errors).toEqual([{ location: 'body', name: 'title', description: ['String value is too long.'] }]);
  });
});

describe('rooms of a tender', () => {
  it('are the whole together', () => {
    expect(sum(Object.values(TENDER_QUOTAS_IN_32NDS))).toBe(32);
  });
});
