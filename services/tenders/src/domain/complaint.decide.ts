import { admit, notAccredited } from '@procurement/contracts/admission';
import {
  CLOSED,
  moved,
  RESOLUTION_CHARACTERS_MIN,
  transitionOf,
  viewOf,
  type ComplaintRole,
  type ComplaintTransition,
} from '@procurement/contracts/complaint-transitions';
import { formatServerDate } from '@procurement/contracts/instant';
import { mergePatch } from '@procurement/contracts/merge';
import { invalid, problem, type Problem } from '@procurement/contracts/problems';
import { pruned } from '@procurement/contracts/pruned';
import { readBy, type Reading } from '@procurement/contracts/reading/read-by';
import {
  ComplaintInput,
  EarlyComplaintInput,
  type ComplaintStatus,
  type StoredComplaint,
} from '@procurement/contracts/resources/complaint';
import type { StoredTender } from '@procurement/contracts/resources/tender';
import { same } from '@procurement/contracts/same';
import type { Decision } from '@procurement/kit/decision';
import { OPEN_VIEW, takesComplaints } from './complaint.window.ts';
import { lotsOf } from './lots-of.ts';
import { mayBeEarly } from './organization-form.ts';
import { complaintRoleOf, guardsAreOpen, mayCreate } from './tender.permissions.ts';
import { settlement } from './tender.settlement.ts';
import type { AddObject, ChangeObject, TenderEvent, TenderMeta, TenderState } from './tender.ts';

/** A claim about the conditions of a tender, or a draft of one (tenders.md 13.2). */
export function fileComplaint(state: TenderState | undefined, { body, meta }: AddObject): Decision<TenderEvent> {
  if (state === undefined) return { refused: problem('object.not-found', { kind: 'tender' }) };
  const { actor, now, settings } = meta;
  const tender = state.document;
  const admission = admit(body, actor, mayCreate(actor), notAccredited(actor, tender.mode, 'complaint'));
  if ('refused' in admission) return admission;
  const reading = readBy(mayBeEarly(actor.segment) ? EarlyComplaintInput : ComplaintInput, admission.data);
  if (!reading.ok) return { refused: invalid(reading.errors) };
  const { author, title, description, relatedLot } = reading.value;
  if (relatedLot !== undefined && lotsOf(tender).every((lot) => lot.id !== relatedLot)) {
    const description = ['relatedLot should be one of lots'];
    return { refused: invalid([{ location: 'body', name: 'relatedLot', description }]) };
  }
  const open = guardsAreOpen(actor, settings, tender.status);
  if (!open && !takesComplaints(tender.status)) {
    return { refused: problem('complaint.add-status', { status: tender.status }) };
  }
  const date = formatServerDate(now);
  // Kept for brokers of older segments: what is posted without a status counts as filed (rulings R3).
  const status = reading.value.status === 'claim' || (open && reading.value.status === undefined) ? 'claim' : 'draft';
  const complaint = pruned<StoredComplaint>({
    author,
    title,
    description,
    relatedLot,
    status,
    type: 'claim',
    date,
    id: meta.id,
    complaintID: nextNumber(state, settings.serverId),
    ...(status === 'claim' ? { dateSubmitted: date } : {}),
  });
  const owner = { owner: actor.broker ?? '', tokenHash: meta.tokenHash, transferHash: meta.transferHash };
  const document = { ...tender, complaints: [...(tender.complaints ?? []), complaint] };
  const complaintOwners = { ...state.complaintOwners, [complaint.id]: owner };
  return { accepted: [{ type: 'TenderChanged', parts: { document, complaintOwners } }] };
}

/** Complaints about awards count too; those are only filed when no more can be filed here (tenders.md 7.1). */
function nextNumber({ document, awards }: TenderState, serverId: string): string {
  const ofAwards = (awards?.awards ?? []).flatMap((award) => award.complaints ?? []).length;
  return `${document.tenderID}.${serverId}${(document.complaints ?? []).length + ofAwards + 1}`;
}

/** A move of a complaint, or a change within its status (tenders.md 13.3); refusals in the order of that section. */
export function changeComplaint(state: TenderState | undefined, command: ChangeObject): Decision<TenderEvent> {
  if (state === undefined) return { refused: problem('object.not-found', { kind: 'tender' }) };
  const { body, meta } = command;
  const tender = state.document;
  const stored = tender.complaints?.find((complaint) => complaint.id === command.id);
  if (stored === undefined) return { refused: problem('object.not-found', { kind: 'complaint' }) };
  const role = complaintRoleOf(state, stored.id, meta.actor);
  const admission = admit(body, meta.actor, role !== 'stranger');
  if ('refused' in admission) return admission;
  const open = role === 'tender_owner' && guardsAreOpen(meta.actor, meta.settings, tender.status);
  const reading = readMerged(stored, admission.data, meta, open);
  if (!reading.ok) return { refused: invalid(reading.errors) };
  // The model has made sure of all that a complaint needs.
  const wished = reading.value as StoredComplaint;
  const view =
    role === 'stranger' || role === 'Administrator'
      ? undefined
      : open && !CLOSED.has(stored.status)
        ? OPEN_VIEW
        : viewOf(role, stored.status, wished.status);
  if (view === undefined || role === 'stranger' || role === 'Administrator') {
    return { refused: problem('request.role-forbidden') };
  }
  const next = pruned({ ...stored, ...Object.fromEntries(view.map((member) => [member, wished[member]])) });
  const facts = { next, inPeriod: takesComplaints(tender.status) };
  const row = open
    ? openTransition(stored.status, next.status)
    : transitionOf(role, stored.status, facts, meta.settings.complaintsMode);
  const refusal = closedTo(tender, stored, next, row, role);
  if (refusal !== undefined || row === undefined) return { refused: refusal ?? problem('complaint.update') };
  if (same(next, stored)) return { accepted: [] };
  const document = afterMove(state, moved(stored, next, row, formatServerDate(meta.now)), meta);
  return { accepted: [{ type: 'TenderChanged', parts: { document } }] };
}

/** The complaint as the merge leaves it. Without guards an answer needs no type of its own (rulings R3). */
function readMerged(
  stored: StoredComplaint,
  data: Readonly<Record<string, unknown>>,
  { actor }: TenderMeta,
  open: boolean,
): Reading<unknown> {
  const merged = mergePatch({ ...stored }, data);
  const lacksType = open && merged['status'] === 'answered' && merged['resolutionType'] === undefined;
  const model = mayBeEarly(actor.segment, stored.author) ? EarlyComplaintInput : ComplaintInput;
  return readBy(model, lacksType ? { ...merged, resolutionType: 'resolved' } : merged);
}

const OPEN_STAMPS = {
  answered: 'dateAnswered',
  resolved: 'dateDecision',
  invalid: 'dateDecision',
  declined: 'dateDecision',
} as const;

/** Without guards the owner of the tender answers or decides at once, or leaves the status as it is (rulings R3). */
function openTransition(from: ComplaintStatus, to: ComplaintStatus): ComplaintTransition | undefined {
  if (from === to) return { from, to, by: 'tender_owner' };
  const sets = OPEN_STAMPS[to as keyof typeof OPEN_STAMPS];
  return sets === undefined ? undefined : { from, to, by: 'tender_owner', sets };
}

function closedTo(
  { status }: StoredTender,
  stored: StoredComplaint,
  next: StoredComplaint,
  row: ComplaintTransition | undefined,
  role: ComplaintRole,
): Problem | undefined {
  if (!status.startsWith('active.')) return problem('complaint.update-tender-status', { status });
  if (CLOSED.has(stored.status)) return problem('complaint.update-status', { status: stored.status });
  if (row !== undefined) return undefined;
  const isShort = next.resolution !== undefined && next.resolution.length < RESOLUTION_CHARACTERS_MIN;
  const answers = role === 'tender_owner' && stored.status === 'claim' && next.status === 'answered';
  return problem(answers && isShort ? 'complaint.resolution-short' : 'complaint.update');
}

/** A complaint that closes may have been the last that a tender waited for (tenders.md 13.3). */
function afterMove(state: TenderState, complaint: StoredComplaint, { now, settings }: TenderMeta): StoredTender {
  const complaints = (state.document.complaints ?? []).map((one) => (one.id === complaint.id ? complaint : one));
  const document = { ...state.document, complaints };
  return CLOSED.has(complaint.status) ? settlement({ ...state, document }, now, settings) : document;
}
