import {
  OBJECT_BYTES_MAX,
  TENDER_OBJECTS_MAX,
  TENDER_QUOTAS_IN_32NDS,
  type TenderQuota,
} from '@procurement/contracts/limits';
import type { Problem } from '@procurement/contracts/problems/problems';
import type { StoredQuestion } from '@procurement/contracts/resources/question';
import {
  brokerShare,
  CHANGED_COMPLAINT_LIMITS,
  complaintBytes,
  complaintLimits,
  limitRefusal,
  NEW_COMPLAINT_LIMITS,
  sum,
  utf8Bound,
  type Limit,
  type LimitCode,
  type LimitSubject,
} from '@procurement/domain/budget';
import { jsonBytes } from '@procurement/domain/json-text';
import type { TenderCommand, TenderState } from './tender.ts';

/** Limits by the command that they refuse. No other command adds to what they measure; clock and events have none. */
const LIMITS_OF_COMMAND: Readonly<Record<TenderCommand['type'], readonly LimitCode[]>> = {
  CreateTender: ['limit.tender-terms'],
  PatchTender: ['limit.tender-terms'],
  PutTender: ['limit.tender-terms'],
  AddLot: ['limit.tender-terms'],
  ChangeLot: ['limit.tender-terms'],
  DeleteLot: [],
  AskQuestion: [
    'limit.question-bytes',
    'limit.questions',
    'limit.questions-of-broker',
    'limit.question-quota',
    'limit.question-quota-of-broker',
  ],
  AnswerQuestion: ['limit.reply-quota'],
  FileComplaint: NEW_COMPLAINT_LIMITS,
  ChangeComplaint: CHANGED_COMPLAINT_LIMITS,
  AddCancellation: ['limit.cancellation-bytes', 'limit.cancellations', 'limit.cancellation-quota'],
  // A change sets status and date only.
  ChangeCancellation: [],
  ChangeOwner: [],
  ApplyExternalInput: [],
};

type TenderLimits = Readonly<Partial<Record<LimitCode, Limit<TenderState>>>>;

const limitsByBytes = new Map<number, TenderLimits>();

/** The limits of a tender for a value of `TENDER_BYTES_MAX`. */
function limitsFor(tenderBytesMax: number): TenderLimits {
  const known = limitsByBytes.get(tenderBytesMax);
  if (known !== undefined) return known;
  const limits = makeLimits((quota) => Math.floor((tenderBytesMax * TENDER_QUOTAS_IN_32NDS[quota]) / 32));
  limitsByBytes.set(tenderBytesMax, limits);
  return limits;
}

function makeLimits(quotaBytes: (quota: TenderQuota) => number): TenderLimits {
  return {
    'limit.tender-terms': {
      unit: 'bytes',
      max: quotaBytes('terms'),
      measure: ({ document: { questions: _questions, complaints: _complaints, cancellations: _all, ...terms } }) =>
        jsonBytes(terms),
    },
    'limit.question-bytes': {
      unit: 'bytes',
      max: OBJECT_BYTES_MAX.question,
      measure: (state, { id }) => askedBytes(questionsOf(state).filter((question) => question.id === id)),
    },
    'limit.questions': {
      unit: 'objects',
      max: TENDER_OBJECTS_MAX.questions.ofTender,
      measure: (state) => questionsOf(state).length,
    },
    'limit.questions-of-broker': {
      unit: 'objects',
      max: TENDER_OBJECTS_MAX.questions.ofBroker,
      measure: (state, subject) => questionsOfBroker(state, subject).length,
    },
    'limit.question-quota': {
      unit: 'bytes',
      max: quotaBytes('questions'),
      measure: (state) => askedBytes(questionsOf(state)),
    },
    'limit.question-quota-of-broker': {
      unit: 'bytes',
      max: brokerShare(quotaBytes('questions')),
      measure: (state, subject) => askedBytes(questionsOfBroker(state, subject)),
    },
    ...complaintLimits<TenderState>({
      complaintsOf: ({ document }) => document.complaints ?? [],
      brokerOf: ({ complaintOwners }, id) => complaintOwners[id]?.owner,
      objectsMax: TENDER_OBJECTS_MAX.complaints,
      bytesMax: {
        complaints: quotaBytes('complaints'),
        replies: quotaBytes('replies'),
        decisions: quotaBytes('decisions'),
      },
    }),
    'limit.reply-quota': { unit: 'bytes', max: quotaBytes('replies'), measure: replyBytes },
    'limit.cancellation-bytes': {
      unit: 'bytes',
      max: OBJECT_BYTES_MAX.cancellation,
      measure: ({ document }, { id }) =>
        sum((document.cancellations ?? []).filter((one) => one.id === id).map(jsonBytes)),
    },
    'limit.cancellations': {
      unit: 'objects',
      max: TENDER_OBJECTS_MAX.cancellations.ofTender,
      measure: ({ document }) => document.cancellations?.length ?? 0,
    },
    'limit.cancellation-quota': {
      unit: 'bytes',
      max: quotaBytes('cancellations'),
      measure: ({ document }) => sum((document.cancellations ?? []).map(jsonBytes)),
    },
  };
}

/**
 * The refusal of a command that makes the tender exceed the byte budget (limits.md 4). `documentText` is the stored text of
 * `after`: below the limits its length answers, and nothing is measured.
 */
export function budgetRefusal(
  command: TenderCommand,
  before: TenderState | undefined,
  after: TenderState,
  documentText: string,
): Problem | undefined {
  if (command.type === 'ApplyExternalInput') return undefined;
  const { actor, settings } = command.meta;
  // A request of the chronograph runs the clock.
  if (actor.group === 'chronograph') return undefined;
  const subject = limitSubjectOf(command, before, actor.broker);
  const change = { before, after, subject, bytesBound: utf8Bound(documentText) };
  return limitRefusal(limitsFor(settings.tenderBytesMax), LIMITS_OF_COMMAND[command.type], change);
}

function limitSubjectOf(
  command: Exclude<TenderCommand, { readonly type: 'ApplyExternalInput' }>,
  before: TenderState | undefined,
  broker: string | undefined,
): LimitSubject {
  // A complaint takes the share of its author, whoever changes it.
  if (command.type === 'ChangeComplaint') return { id: command.id, broker: before?.complaintOwners[command.id]?.owner };
  return { id: 'id' in command ? command.id : 'id' in command.meta ? command.meta.id : '', broker };
}

function questionsOf({ document }: TenderState): readonly StoredQuestion[] {
  return document.questions ?? [];
}

function questionsOfBroker(state: TenderState, { broker }: LimitSubject): readonly StoredQuestion[] {
  return questionsOf(state).filter(({ id }) => state.questionBrokers[id] === broker);
}

/** Size of questions as they were asked. */
function askedBytes(questions: readonly StoredQuestion[]): number {
  return sum(questions.map(({ answer: _answer, dateAnswered: _date, ...asked }) => jsonBytes(asked)));
}

/** Size of what the owner of the tender wrote to questions and complaints. */
function replyBytes(state: TenderState): number {
  const answers = questionsOf(state).map(({ answer }) => jsonBytes({ answer }));
  const resolutions = (state.document.complaints ?? []).map((complaint) => complaintBytes(complaint).replies);
  return sum([...answers, ...resolutions]);
}
