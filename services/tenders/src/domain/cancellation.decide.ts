import { formatServerDate, type Instant } from '@procurement/contracts/reading/instant';
import { invalid, problem, type Problem, type ProblemCode, allowing } from '@procurement/contracts/problems/problems';
import { omitEmpty } from '@procurement/domain/omit-empty';
import { parseWith } from '@procurement/contracts/reading/parse-with';
import { cancellationsApi } from '@procurement/contracts/api/cancellations.api';
import type { StoredCancellation } from '@procurement/contracts/resources/cancellation';
import type { StoredTender } from '@procurement/contracts/resources/tender';
import type { Decision } from '@procurement/domain/decision';
import { readEdit, roleRefusal } from './editor-admission.ts';
import { lotIsOpen, lotsOf } from '@procurement/domain/lots';
import { repeatsStatus } from '@procurement/domain/repeated-status';
import { afterLotCancelled } from './tender.external-inputs.ts';
import { isFinal, isUnfinished, statusesThat } from '@procurement/domain/tender-status';
import { moveToStatus, withTenderStatus, statusOfLots, withLotStatus } from './tender.completion.ts';
import type { AddSubresource, ChangeSubresource, TenderEvent, TenderMeta, TenderState } from './tender.ts';

/** What a PATCH sets of a cancellation (tenders.md 14). */
export const CANCELLATION_MEMBERS = ['status'] as const satisfies readonly (keyof StoredCancellation)[];

/** Adds a cancellation of the tender or of a lot. It takes effect at once when its status is `active` (tenders.md 14). */
export function addCancellation(state: TenderState | undefined, command: AddSubresource): Decision<TenderEvent> {
  if (state === undefined) return { refused: problem('object.not-found', { kind: 'tender' }) };
  const { meta } = command;
  const edit = readEdit(state, command, (data) => parseWith(cancellationsApi.createCancellation.body, data));
  if ('refused' in edit) return edit;
  const { documents: _documents, ...sent } = edit.value;
  const cancellation = omitEmpty({ ...sent, id: meta.id, date: formatServerDate(meta.now) });
  const refusal =
    unknownLotRefusal(state.document, cancellation) ??
    roleRefusal(edit.role) ??
    statusRefusal(state.document, cancellation, 'add');
  if (refusal !== undefined) return { refused: refusal };
  return {
    accepted: applyCancellation(state, cancellation, [...(state.document.cancellations ?? []), cancellation], meta),
  };
}

/** Changes the status of a cancellation. An empty change sets its date too (tenders.md 14); the present status has no effect (rulings R27). */
export function changeCancellation(state: TenderState | undefined, command: ChangeSubresource): Decision<TenderEvent> {
  if (state === undefined) return { refused: problem('object.not-found', { kind: 'tender' }) };
  const { cancellations = [] } = state.document;
  const stored = cancellations.find((cancellation) => cancellation.id === command.id);
  if (stored === undefined) return { refused: problem('object.not-found', { kind: 'cancellation' }) };
  const parse = (data: object) => parseWith(cancellationsApi.patchCancellation.body, { ...data }, stored);
  const edit = readEdit(state, command, parse, stored);
  if ('refused' in edit) return edit;
  const refusal = roleRefusal(edit.role);
  if (refusal !== undefined) return { refused: refusal };
  if (command.body.kind === 'data' && repeatsStatus(stored, command.body.data)) return { accepted: [] };
  const closed = statusRefusal(state.document, stored, 'update');
  if (closed !== undefined) return { refused: closed };
  const next = { ...stored, status: edit.value.status, date: formatServerDate(command.meta.now) };
  const updated = cancellations.map((cancellation) => (cancellation.id === stored.id ? next : cancellation));
  return { accepted: applyCancellation(state, next, updated, command.meta) };
}

function unknownLotRefusal(tender: StoredTender, { relatedLot }: StoredCancellation): Problem | undefined {
  if (relatedLot === undefined || lotsOf(tender).some((lot) => lot.id === relatedLot)) return undefined;
  return invalid([{ location: 'body', name: 'relatedLot', description: ['relatedLot should be one of lots'] }]);
}

function statusRefusal(
  tender: StoredTender,
  { relatedLot }: StoredCancellation,
  act: 'add' | 'update',
): Problem | undefined {
  const { status } = tender;
  if (isFinal(status)) {
    const refusal = problem(`cancellation.${act}-status` satisfies ProblemCode, { status });
    return allowing(refusal, { allowedStatuses: statusesThat(isUnfinished) });
  }
  return lotIsOpen(tender, relatedLot) ? undefined : problem(`cancellation.${act}-lot` satisfies ProblemCode);
}

/** The events of a stored cancellation. An active one cancels the lot or the tender (tenders.md 14). */
function applyCancellation(
  state: TenderState,
  { status, relatedLot }: StoredCancellation,
  cancellations: readonly StoredCancellation[],
  { now, settings }: TenderMeta,
): readonly TenderEvent[] {
  const document = { ...state.document, cancellations };
  if (status !== 'active') return [{ type: 'TenderChanged', parts: { document } }];
  if (relatedLot === undefined) return cancelTender(document, now);
  const lots = lotsOf(document).map((lot) => (lot.id === relatedLot ? withLotStatus(lot, 'cancelled', now) : lot));
  const next = statusOfLots(lots, document.status);
  if (next === 'cancelled') return cancelTender({ ...document, lots }, now);
  return afterLotCancelled(state, { document: moveToStatus({ ...document, lots }, next, now, settings) }, now);
}

/** Cancels the tender. Bids that were never opened are erased; everything else stays (tenders.md 8.2 row 17). */
function cancelTender(document: StoredTender, now: Instant): readonly TenderEvent[] {
  const erasesBids = document.status === 'active.tendering' || document.status === 'active.auction';
  return [
    { type: 'TenderChanged', parts: { document: withTenderStatus(document, 'cancelled', now) } },
    { type: 'TenderCancelled', erasesBids },
  ];
}
