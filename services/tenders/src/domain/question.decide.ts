import { admitWrite, accreditationProblem } from '@procurement/domain/admission';
import { formatServerDate, parseInstant } from '@procurement/contracts/reading/instant';
import { invalid, problem, type Problem, allowing } from '@procurement/contracts/problems/problems';
import { omitEmpty } from '@procurement/domain/omit-empty';
import { parseWith } from '@procurement/contracts/reading/parse-with';
import { questionsApi } from '@procurement/contracts/api/questions.api';
import type { StoredQuestion } from '@procurement/contracts/resources/question';
import type { StoredTender, TenderStatus } from '@procurement/contracts/resources/tender';
import { deepEqual } from '@procurement/domain/equality';
import type { Decision } from '@procurement/domain/decision';
import { readEdit, roleRefusal } from './editor-admission.ts';
import { lotIsOpen } from '@procurement/domain/lots';
import { acceptsEarlyForm } from '@procurement/domain/early-organization';
import { isWithin, notBefore } from '@procurement/domain/period';
import { legacyGuardsAreOpen } from '@procurement/domain/tender-status';
import { mayCreate } from './tender.permissions.ts';
import type { AddSubresource, ChangeSubresource, TenderEvent, TenderMeta, TenderState } from './tender.ts';

/** Statuses of a tender in which questions may be asked and answered (tenders.md 12). */
export const QUESTION_STATUSES: ReadonlySet<TenderStatus> = new Set(['active.enquiries']);

/** What the owner of the tender sets of a question (tenders.md 12). */
export const ANSWER_MEMBERS = ['answer'] as const satisfies readonly (keyof StoredQuestion)[];

/** Adds a question about the tender, an item or a lot, within the enquiry period (tenders.md 12). */
export function askQuestion(state: TenderState | undefined, { body, meta }: AddSubresource): Decision<TenderEvent> {
  if (state === undefined) return { refused: problem('object.not-found', { kind: 'tender' }) };
  const { actor, now } = meta;
  const tender = state.document;
  const admission = admitWrite(body, actor, mayCreate(actor), {
    accreditation: accreditationProblem(actor, tender.mode, 'question'),
  });
  if ('refused' in admission) return admission;
  const { body: model, bodyBySegment } = questionsApi.createQuestion;
  const reading = parseWith(acceptsEarlyForm(actor.segment) ? bodyBySegment['0'] : model, admission.data);
  if (!reading.ok) return { refused: invalid(reading.errors) };
  const { id: _id, date: _date, answer: _answer, dateAnswered: _answered, ...input } = reading.value;
  const targetRefusal = unknownTargetRefusal(input, tender);
  if (targetRefusal !== undefined) return { refused: targetRefusal };
  const refusal = enquiryPeriodRefusal(tender, meta) ?? lotRefusal(input, tender, 'question.add-lot');
  if (refusal !== undefined) return { refused: refusal };
  const question = omitEmpty({ ...input, id: meta.id, date: formatServerDate(now) });
  const questionBrokers = { ...state.questionBrokers, [question.id]: actor.broker ?? '' };
  const document = { ...tender, questions: [...(tender.questions ?? []), question] };
  return { accepted: [{ type: 'TenderChanged', parts: { document, questionBrokers } }] };
}

/** Sets the answer of the procuring entity. The same answer again stores nothing (tenders.md 12). */
export function answerQuestion(state: TenderState | undefined, command: ChangeSubresource): Decision<TenderEvent> {
  if (state === undefined) return { refused: problem('object.not-found', { kind: 'tender' }) };
  const tender = state.document;
  const { actor, now } = command.meta;
  const stored = tender.questions?.find((question) => question.id === command.id);
  if (stored === undefined) return { refused: problem('object.not-found', { kind: 'question' }) };
  const { body: model, bodyBySegment } = questionsApi.patchQuestion;
  const schema = acceptsEarlyForm(actor.segment, stored.author) ? bodyBySegment['0'] : model;
  const edit = readEdit(state, command, (data) => parseWith(schema, data, stored), stored);
  if ('refused' in edit) return edit;
  const refusal =
    roleRefusal(edit.role) ??
    answerStatusRefusal(tender, command.meta) ??
    lotRefusal(stored, tender, 'question.update-lot');
  if (refusal !== undefined) return { refused: refusal };
  const { answer } = edit.value;
  if (deepEqual(answer, stored.answer)) return { accepted: [] };
  const answered = { ...stored, answer, dateAnswered: formatServerDate(now) };
  const questions = (tender.questions ?? []).map((question) => (question.id === stored.id ? answered : question));
  return { accepted: [{ type: 'TenderChanged', parts: { document: { ...tender, questions } } }] };
}

type Target = Pick<StoredQuestion, 'questionOf' | 'relatedItem'>;

function unknownTargetRefusal({ questionOf, relatedItem }: Target, tender: StoredTender): Problem | undefined {
  if (questionOf === 'tender') return undefined;
  const all: readonly { readonly id: string }[] = (questionOf === 'item' ? tender.items : tender.lots) ?? [];
  if (all.some((one) => one.id === relatedItem)) return undefined;
  const text = `relatedItem should be one of ${questionOf}s`;
  return invalid([{ location: 'body', name: 'relatedItem', description: [text] }]);
}

function enquiryPeriodRefusal(tender: StoredTender, { actor, now, settings }: TenderMeta): Problem | undefined {
  if (legacyGuardsAreOpen(actor, settings, tender.status)) return undefined;
  // Another process has published the tender, and begun the period, by its clock.
  const time = notBefore(parseInstant(tender.date), now);
  const isOpen = QUESTION_STATUSES.has(tender.status) && isWithin(tender.enquiryPeriod ?? {}, time);
  if (isOpen) return undefined;
  const { startDate: allowedFrom, endDate: allowedUntil } = tender.enquiryPeriod ?? {};
  return allowing(problem('question.add-period'), {
    allowedFrom,
    allowedUntil,
    allowedStatuses: [...QUESTION_STATUSES],
  });
}

function answerStatusRefusal({ status }: StoredTender, { actor, settings }: TenderMeta): Problem | undefined {
  if (QUESTION_STATUSES.has(status) || legacyGuardsAreOpen(actor, settings, status)) return undefined;
  return allowing(problem('question.update-status', { status }), { allowedStatuses: [...QUESTION_STATUSES] });
}

/** The refusal of a question about a lot that is not active, or about an item of such a lot. */
function lotRefusal(
  { questionOf, relatedItem }: Target,
  tender: StoredTender,
  code: 'question.add-lot' | 'question.update-lot',
): Problem | undefined {
  if (questionOf === 'tender') return undefined;
  const lot = questionOf === 'lot' ? relatedItem : tender.items?.find((item) => item.id === relatedItem)?.relatedLot;
  return lotIsOpen(tender, lot) ? undefined : problem(code);
}
