import { admitWrite, accreditationProblem } from '@procurement/domain/admission';
import { admitComplaintChange } from '@procurement/domain/complaint-admission';
import {
  CLOSED_STATUSES,
  closedRefusal,
  applyTransition,
  RESOLUTION_CHARACTERS_MIN,
  nextComplaintNumber,
  findTransition,
  complaintEdits,
  editableMembersFor,
  type ComplaintRole,
  type ComplaintTransition,
} from '@procurement/domain/complaints';
import { formatServerDate } from '@procurement/contracts/reading/instant';
import { mergePatch } from '@procurement/domain/merge';
import { invalid, problem, type Problem, allowing } from '@procurement/contracts/problems/problems';
import { omitEmpty } from '@procurement/domain/omit-empty';
import { parseWith, type ParseResult } from '@procurement/contracts/reading/parse-with';
import { complaintsApi } from '@procurement/contracts/api/complaints.api';
import type { ComplaintStatus, StoredComplaint } from '@procurement/contracts/resources/complaint';
import type { StoredTender } from '@procurement/contracts/resources/tender';
import { deepEqual } from '@procurement/domain/equality';
import type { Decision } from '@procurement/domain/decision';
import type { Edits } from '@procurement/domain/ignored-members';
import { UNGUARDED_MEMBERS, acceptsComplaints, changesComplaints } from './complaint.window.ts';
import { lotsOf } from '@procurement/domain/lots';
import { acceptsEarlyForm } from '@procurement/domain/early-organization';
import { complaintRoleOf } from '@procurement/domain/roles';
import { legacyGuardsAreOpen, statusesThat } from '@procurement/domain/tender-status';
import { mayCreate } from './tender.permissions.ts';
import { completeIfDue } from './tender.completion.ts';
import type { AddSubresource, ChangeSubresource, TenderEvent, TenderMeta, TenderState } from './tender.ts';

/** Files a claim about the conditions of a tender, or a draft of one (tenders.md 13.2). */
export function fileComplaint(state: TenderState | undefined, { body, meta }: AddSubresource): Decision<TenderEvent> {
  if (state === undefined) return { refused: problem('object.not-found', { kind: 'tender' }) };
  const { actor, now, settings } = meta;
  const tender = state.document;
  const admission = admitWrite(body, actor, mayCreate(actor), {
    accreditation: accreditationProblem(actor, tender.mode, 'complaint'),
  });
  if ('refused' in admission) return admission;
  const { body: model, bodyBySegment } = complaintsApi.createComplaint;
  const reading = parseWith(acceptsEarlyForm(actor.segment) ? bodyBySegment['0'] : model, admission.data);
  if (!reading.ok) return { refused: invalid(reading.errors) };
  const { author, title, description, relatedLot } = reading.value;
  if (relatedLot !== undefined && lotsOf(tender).every((lot) => lot.id !== relatedLot)) {
    const description = ['relatedLot should be one of lots'];
    return { refused: invalid([{ location: 'body', name: 'relatedLot', description }]) };
  }
  const unguarded = legacyGuardsAreOpen(actor, settings, tender.status);
  if (!unguarded && !acceptsComplaints(tender.status)) {
    const refused = problem('complaint.add-status', { status: tender.status });
    return { refused: allowing(refused, { allowedStatuses: statusesThat(acceptsComplaints) }) };
  }
  const date = formatServerDate(now);
  // Kept for brokers: with open guards, a complaint that an older segment posts without a status is a claim (rulings R3).
  const status =
    reading.value.status === 'claim' || (unguarded && reading.value.status === undefined) ? 'claim' : 'draft';
  const complaint = omitEmpty<StoredComplaint>({
    author,
    title,
    description,
    relatedLot,
    status,
    type: 'claim',
    date,
    id: meta.id,
    complaintID: nextComplaintNumber(tender.tenderID, settings.serverId, complaintCount(state)),
    ...(status === 'claim' ? { dateSubmitted: date } : {}),
  });
  const owner = { owner: actor.broker ?? '', tokenHash: meta.tokenHash, transferHash: meta.transferHash };
  const document = { ...tender, complaints: [...(tender.complaints ?? []), complaint] };
  const complaintOwners = { ...state.complaintOwners, [complaint.id]: owner };
  return { accepted: [{ type: 'TenderChanged', parts: { document, complaintOwners } }] };
}

/** Complaints about awards count too (tenders.md 7.1). With strict guards none is filed here once awards exist. */
function complaintCount({ document, awards }: TenderState): number {
  const ofAwards = (awards?.awards ?? []).flatMap((award) => award.complaints ?? []).length;
  return (document.complaints ?? []).length + ofAwards;
}

/** Changes the status or the members of a complaint (tenders.md 13.3). Refusals come in the order of that section. */
export function changeComplaint(state: TenderState | undefined, command: ChangeSubresource): Decision<TenderEvent> {
  if (state === undefined) return { refused: problem('object.not-found', { kind: 'tender' }) };
  const { body, meta } = command;
  const tender = state.document;
  const stored = tender.complaints?.find((complaint) => complaint.id === command.id);
  if (stored === undefined) return { refused: problem('object.not-found', { kind: 'complaint' }) };
  const role = complaintRoleOf(state, state.complaintOwners[stored.id], meta.actor);
  const admission = admitComplaintChange(stored, { body, actor: meta.actor, role });
  if (!('data' in admission)) return admission;
  const unguarded = isUnguarded(role, tender, meta);
  const reading = readMerged(stored, admission.data, meta, unguarded);
  if (!reading.ok) return { refused: invalid(reading.errors) };
  // Safe cast: the merge keeps the members of the stored complaint, and the model has validated them.
  const merged = reading.value as StoredComplaint;
  const editableMembers = editableBy(role, unguarded, stored.status, merged.status);
  if (editableMembers === undefined || role === 'stranger' || role === 'Administrator') {
    return { refused: problem('request.role-forbidden') };
  }
  const next = omitEmpty({
    ...stored,
    ...Object.fromEntries(editableMembers.map((member) => [member, merged[member]])),
  });
  const guardInput = { next, inPeriod: acceptsComplaints(tender.status) };
  const transition = unguarded
    ? unguardedTransition(stored.status, next.status)
    : findTransition(role, stored.status, guardInput, meta.settings.complaintsMode);
  const refusal = statusRefusal(tender, stored, next, transition, role);
  if (refusal !== undefined || transition === undefined) return { refused: refusal ?? problem('complaint.update') };
  if (deepEqual(next, stored)) return { accepted: [] };
  const document = withChangedComplaint(
    state,
    applyTransition(stored, next, transition, formatServerDate(meta.now)),
    meta,
  );
  return { accepted: [{ type: 'TenderChanged', parts: { document } }] };
}

type Role = ReturnType<typeof complaintRoleOf>;

/** Whether the owner of the tender answers and decides directly (rulings R3). */
function isUnguarded(role: Role, { status }: StoredTender, { actor, settings }: ChangeContext): boolean {
  return role === 'tender_owner' && legacyGuardsAreOpen(actor, settings, status);
}

function editableBy(role: Role, unguarded: boolean, from: ComplaintStatus, to: ComplaintStatus) {
  if (role === 'stranger' || role === 'Administrator') return undefined;
  return unguarded && !CLOSED_STATUSES.has(from) ? UNGUARDED_MEMBERS : editableMembersFor(role, from, to);
}

type ChangeContext = Pick<TenderMeta, 'actor' | 'settings'>;

/** What a change to the status `requested` may set of a complaint of the tender, for `ignoredMembers`. */
export function editsOfComplaint(
  state: TenderState,
  { id, status }: StoredComplaint,
  requested: ComplaintStatus,
  context: ChangeContext,
): Edits {
  const role = complaintRoleOf(state, state.complaintOwners[id], context.actor);
  const unguarded = isUnguarded(role, state.document, context);
  return complaintEdits(status, (from) => editableBy(role, unguarded, from, requested));
}

/** The merged complaint, validated. With open guards `resolutionType` of an answer defaults to `resolved` (rulings R3). */
function readMerged(
  stored: StoredComplaint,
  data: Readonly<Record<string, unknown>>,
  { actor }: TenderMeta,
  unguarded: boolean,
): ParseResult<unknown> {
  const merged = mergePatch({ ...stored }, data);
  const lacksType = unguarded && merged['status'] === 'answered' && merged['resolutionType'] === undefined;
  const { body: model, bodyBySegment } = complaintsApi.patchComplaint;
  const schema = acceptsEarlyForm(actor.segment, stored.author) ? bodyBySegment['0'] : model;
  return parseWith(schema, lacksType ? { ...merged, resolutionType: 'resolved' } : merged, stored);
}

const UNGUARDED_DATE_MEMBERS = {
  answered: 'dateAnswered',
  resolved: 'dateDecision',
  invalid: 'dateDecision',
  declined: 'dateDecision',
} as const;

/** The owner of the tender answers or decides directly, or keeps the status, under open guards (rulings R3). */
function unguardedTransition(from: ComplaintStatus, to: ComplaintStatus): ComplaintTransition | undefined {
  if (from === to) return { from, to, by: 'tender_owner' };
  const sets = UNGUARDED_DATE_MEMBERS[to as keyof typeof UNGUARDED_DATE_MEMBERS];
  return sets === undefined ? undefined : { from, to, by: 'tender_owner', sets };
}

function statusRefusal(
  { status }: StoredTender,
  stored: StoredComplaint,
  next: StoredComplaint,
  transition: ComplaintTransition | undefined,
  role: ComplaintRole,
): Problem | undefined {
  if (!changesComplaints(status)) {
    const allowedStatuses = statusesThat(changesComplaints);
    return allowing(problem('complaint.update-tender-status', { status }), { allowedStatuses });
  }
  const closed = closedRefusal(stored);
  if (closed !== undefined) return closed;
  if (transition !== undefined) return undefined;
  const isShort = next.resolution !== undefined && next.resolution.length < RESOLUTION_CHARACTERS_MIN;
  const isAnswer = role === 'tender_owner' && stored.status === 'claim' && next.status === 'answered';
  return problem(isAnswer && isShort ? 'complaint.resolution-short' : 'complaint.update');
}

/** The tender with the changed complaint. A complaint that closes may let the tender complete (tenders.md 13.3). */
function withChangedComplaint(
  state: TenderState,
  complaint: StoredComplaint,
  { now, settings }: TenderMeta,
): StoredTender {
  const complaints = (state.document.complaints ?? []).map((one) => (one.id === complaint.id ? complaint : one));
  const document = { ...state.document, complaints };
  return CLOSED_STATUSES.has(complaint.status) ? completeIfDue({ ...state, document }, now, settings) : document;
}
