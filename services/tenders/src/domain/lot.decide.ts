import { permissionProblem } from '@procurement/domain/admission';
import { formatServerDate } from '@procurement/contracts/reading/instant';
import { invalid, problem, type Problem, allowing } from '@procurement/contracts/problems/problems';
import { parseWith } from '@procurement/contracts/reading/parse-with';
import { lotsApi } from '@procurement/contracts/api/lots.api';
import type { StoredLot, StoredTender, TenderStatus } from '@procurement/contracts/resources/tender';
import { deepEqual } from '@procurement/domain/equality';
import type { Decision } from '@procurement/domain/decision';
import { readEdit, roleRefusal } from './editor-admission.ts';
import { lotsOf } from '@procurement/domain/lots';
import { hasAuction } from './auction-period.ts';
import { normalized, tenderErrors } from './tender.compose.ts';
import { tenderRoleOf } from '@procurement/domain/roles';
import { lotErrors } from './tender.rules.ts';
import type { AddSubresource, ChangeSubresource, TenderEvent, TenderState } from './tender.ts';

/** Members of a lot that the owner may change (tenders.md 6.3). Currency and VAT of amounts are always those of the tender. */
export const LOT_OWNER_EDITS = [
  'title',
  'title_en',
  'title_ru',
  'description',
  'description_en',
  'description_ru',
  'value',
  'minimalStep',
  'guarantee',
] as const satisfies readonly (keyof StoredLot)[];

/** Statuses of a tender in which its lots may be added, changed and removed (tenders.md 6.3). */
export const LOT_STATUSES: ReadonlySet<TenderStatus> = new Set(['active.enquiries']);

/** Adds a lot, in `active.enquiries` only (tenders.md 6.3). */
export function addLot(state: TenderState | undefined, command: AddSubresource): Decision<TenderEvent> {
  if (state === undefined) return { refused: problem('object.not-found', { kind: 'tender' }) };
  const { meta } = command;
  const edit = readEdit(state, command, (data) => parseWith(selectBody(lotsApi.createLot, state.document), data));
  if ('refused' in edit) return edit;
  const refusal = roleRefusal(edit.role) ?? statusRefusal(state.document, 'lot.add-status');
  if (refusal !== undefined) return { refused: refusal };
  const { id = meta.id, auctionPeriod: _period, auctionUrl: _url, numberOfBids: _bids, ...sent } = edit.value;
  const lot: StoredLot = { ...sent, id, status: 'active', date: formatServerDate(meta.now) };
  return withLots(state, [...lotsOf(state.document), lot]);
}

/** Changes the terms of a lot. A change without effect stores nothing (tenders.md 6.3, 11.1). */
export function changeLot(state: TenderState | undefined, command: ChangeSubresource): Decision<TenderEvent> {
  if (state === undefined) return { refused: problem('object.not-found', { kind: 'tender' }) };
  const stored = lotsOf(state.document).find((lot) => lot.id === command.id);
  if (stored === undefined) return { refused: problem('object.not-found', { kind: 'lot' }) };
  const edit = readEdit(
    state,
    command,
    (data) => parseWith(selectBody(lotsApi.patchLot, state.document), data, stored),
    stored,
  );
  if ('refused' in edit) return edit;
  const refusal = roleRefusal(edit.role) ?? statusRefusal(state.document, 'lot.update-status');
  if (refusal !== undefined) return { refused: refusal };
  const { value } = edit;
  const next: StoredLot = {
    ...stored,
    ...Object.fromEntries(LOT_OWNER_EDITS.map((member) => [member, value[member]])),
  };
  return withLots(
    state,
    lotsOf(state.document).map((lot) => (lot.id === stored.id ? next : lot)),
  );
}

/** Removes a lot to which no item and no feature refers (tenders.md 6.3). The request has no body. */
export function deleteLot(state: TenderState | undefined, { id, meta }: ChangeSubresource): Decision<TenderEvent> {
  if (state === undefined) return { refused: problem('object.not-found', { kind: 'tender' }) };
  if (lotsOf(state.document).every((lot) => lot.id !== id)) {
    return { refused: problem('object.not-found', { kind: 'lot' }) };
  }
  const role = tenderRoleOf(state, meta.actor);
  const refusal =
    permissionProblem(meta.actor, role === 'tender_owner' || role === 'Administrator', { owner: state.owner }) ??
    roleRefusal(role) ??
    statusRefusal(state.document, 'lot.delete-status');
  if (refusal !== undefined) return { refused: refusal };
  return withLots(
    state,
    lotsOf(state.document).filter((lot) => lot.id !== id),
  );
}

function selectBody(
  { body, withoutAuction }: (typeof lotsApi)['createLot' | 'patchLot'],
  tender: StoredTender,
): (typeof lotsApi)['createLot']['body'] | (typeof lotsApi)['createLot']['withoutAuction']['body'] {
  return hasAuction(tender) ? body : withoutAuction.body;
}

function statusRefusal(
  { status }: StoredTender,
  code: 'lot.add-status' | 'lot.update-status' | 'lot.delete-status',
): Problem | undefined {
  if (LOT_STATUSES.has(status)) return undefined;
  return allowing(problem(code, { status }), { allowedStatuses: [...LOT_STATUSES] });
}

/** The tender with these lots and its amounts computed from them, if it is valid as a whole (tenders.md 1.3 step 6). */
function withLots(state: TenderState, lots: readonly StoredLot[]): Decision<TenderEvent> {
  const document = normalized({ ...state.document, lots });
  if (deepEqual(document, state.document)) return { accepted: [] };
  const lotsErrors = lotErrors(lots);
  const errors = lotsErrors.length > 0 ? lotsErrors : tenderErrors(document);
  if (errors.length > 0) return { refused: invalid(errors) };
  return { accepted: [{ type: 'TenderChanged', parts: { document } }] };
}
