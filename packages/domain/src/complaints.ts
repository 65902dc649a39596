import { allowing, problem, type Problem } from '@procurement/contracts/problems/problems';
import {
  COMPLAINT_STATUSES,
  type ComplaintStatus,
  type StoredComplaint,
} from '@procurement/contracts/resources/complaint';
import type { Edits } from './ignored-members.ts';

/** `full`: claims can be escalated to reviewers. `claims-only`: they cannot (tenders.md 13.4, bids-awards-auction.md 3.7). */
export type ComplaintsMode = 'full' | 'claims-only';

/** Roles that change a complaint about a tender or an award (tenders.md 13.3, bids-awards-auction.md 3.7). The clock has none. */
export type ComplaintRole = 'complaint_owner' | 'tender_owner' | 'reviewers';

type ComplaintMember = keyof StoredComplaint;

/** Members that a role may set while a complaint has a status. A role without an entry is refused. */
interface EditableMembers {
  readonly by: ComplaintRole;
  readonly in: ComplaintStatus;
  readonly members: readonly ComplaintMember[];
}

const EDITABLE_MEMBERS: readonly EditableMembers[] = [
  { by: 'complaint_owner', in: 'draft', members: ['author', 'title', 'description', 'status'] },
  { by: 'complaint_owner', in: 'answered', members: ['satisfied', 'status'] },
  { by: 'tender_owner', in: 'claim', members: ['resolution', 'resolutionType', 'tendererAction', 'status'] },
  { by: 'tender_owner', in: 'pending', members: ['tendererAction'] },
  { by: 'reviewers', in: 'pending', members: ['decision', 'status'] },
];

/** The complainant may request a withdrawal in any status; `COMPLAINT_TRANSITIONS` decides whether it is allowed. */
const WITHDRAWAL_MEMBERS: readonly ComplaintMember[] = ['cancellationReason', 'status'];

/** The members that take effect in a change; `undefined` when the role may not change a complaint in that status. */
export function editableMembersFor(
  role: ComplaintRole,
  from: ComplaintStatus,
  requested: ComplaintStatus,
): readonly ComplaintMember[] | undefined {
  if (role === 'complaint_owner' && requested === 'cancelled') return WITHDRAWAL_MEMBERS;
  return EDITABLE_MEMBERS.find((view) => view.by === role && view.in === from)?.members;
}

/** The same for `ignoredMembers`: of a change to the status `requested`. */
export function complaintEdits(
  status: ComplaintStatus,
  membersIn: (from: ComplaintStatus) => readonly ComplaintMember[] | undefined,
): Edits {
  // Safe cast: a status of the list.
  return { status, statuses: COMPLAINT_STATUSES, membersIn: (from) => membersIn(from as ComplaintStatus) ?? [] };
}

export const CLOSED_STATUSES: ReadonlySet<ComplaintStatus> = new Set([
  'resolved',
  'invalid',
  'declined',
  'cancelled',
  'ignored',
]);

/** The refusal to change a complaint that is closed. */
export function closedRefusal({ status }: StoredComplaint): Problem | undefined {
  if (!CLOSED_STATUSES.has(status)) return undefined;
  const allowedStatuses = COMPLAINT_STATUSES.filter((one) => !CLOSED_STATUSES.has(one));
  return allowing(problem('complaint.update-status', { status }), { allowedStatuses });
}

/** The date that a transition sets beside `date`. */
type DateMember = 'dateSubmitted' | 'dateAnswered' | 'dateEscalated' | 'dateDecision' | 'dateCanceled';

export interface ComplaintTransition {
  readonly from: ComplaintStatus;
  readonly to: ComplaintStatus;
  readonly by: ComplaintRole;
  /** The mode that has the transition; both when absent. */
  readonly mode?: ComplaintsMode;
  readonly when?: keyof typeof GUARDS;
  readonly sets?: DateMember;
  /** The claim to the procuring entity becomes a complaint to the reviewers. */
  readonly escalates?: true;
}

interface GuardInput {
  readonly next: StoredComplaint;
  /** Whether complaints about the same tender or award may be filed now. */
  readonly inPeriod: boolean;
}

/** The predicates that `ComplaintTransition.when` names. */
const GUARDS = {
  inComplaintPeriod: ({ inPeriod }: GuardInput) => inPeriod,
  resolutionIsLongEnough: ({ next }: GuardInput) => (next.resolution ?? '').length >= RESOLUTION_CHARACTERS_MIN,
  isSatisfied: ({ next }: GuardInput) => next.satisfied === true,
  statesSatisfaction: ({ next }: GuardInput) => next.satisfied !== undefined,
  isDissatisfied: ({ next }: GuardInput) => next.satisfied === false,
} as const;

export const RESOLUTION_CHARACTERS_MIN = 20;

/** The state machine of complaints about tenders and awards, without the transitions by the clock and by a change of an award. */
export const COMPLAINT_TRANSITIONS: readonly ComplaintTransition[] = [
  { from: 'draft', to: 'draft', by: 'complaint_owner', when: 'inComplaintPeriod' },
  { from: 'draft', to: 'claim', by: 'complaint_owner', when: 'inComplaintPeriod', sets: 'dateSubmitted' },
  { from: 'draft', to: 'cancelled', by: 'complaint_owner', sets: 'dateCanceled' },
  { from: 'claim', to: 'cancelled', by: 'complaint_owner', sets: 'dateCanceled' },
  { from: 'answered', to: 'cancelled', by: 'complaint_owner', sets: 'dateCanceled' },
  { from: 'pending', to: 'cancelled', by: 'complaint_owner', mode: 'full', sets: 'dateCanceled' },
  { from: 'claim', to: 'claim', by: 'tender_owner' },
  { from: 'claim', to: 'answered', by: 'tender_owner', when: 'resolutionIsLongEnough', sets: 'dateAnswered' },
  { from: 'answered', to: 'answered', by: 'complaint_owner' },
  { from: 'answered', to: 'resolved', by: 'complaint_owner', mode: 'full', when: 'isSatisfied' },
  { from: 'answered', to: 'resolved', by: 'complaint_owner', mode: 'claims-only', when: 'statesSatisfaction' },
  {
    from: 'answered',
    to: 'pending',
    by: 'complaint_owner',
    mode: 'full',
    when: 'isDissatisfied',
    sets: 'dateEscalated',
    escalates: true,
  },
  { from: 'pending', to: 'pending', by: 'tender_owner', mode: 'full' },
  { from: 'pending', to: 'pending', by: 'reviewers', mode: 'full' },
  { from: 'pending', to: 'resolved', by: 'reviewers', mode: 'full', sets: 'dateDecision' },
  { from: 'pending', to: 'invalid', by: 'reviewers', mode: 'full', sets: 'dateDecision' },
  { from: 'pending', to: 'declined', by: 'reviewers', mode: 'full', sets: 'dateDecision' },
];

/** The transition that allows `role` this change; `undefined` when there is none or its guard does not hold. */
export function findTransition(
  role: ComplaintRole,
  from: ComplaintStatus,
  facts: GuardInput,
  mode: ComplaintsMode,
): ComplaintTransition | undefined {
  return COMPLAINT_TRANSITIONS.find(
    (row) =>
      row.from === from &&
      row.to === facts.next.status &&
      row.by === role &&
      (row.mode ?? mode) === mode &&
      (row.when === undefined || GUARDS[row.when](facts)),
  );
}

/** The complaint after a transition, with the dates that it sets. `date` is the date of the transition. */
export function applyTransition(
  stored: StoredComplaint,
  next: StoredComplaint,
  row: ComplaintTransition,
  date: string,
): StoredComplaint {
  const isFirstAction = next.tendererAction !== undefined && stored.tendererActionDate === undefined;
  return {
    ...next,
    ...(isFirstAction ? { tendererActionDate: date } : {}),
    ...(next.status === stored.status ? {} : { date }),
    ...(row.sets === undefined ? {} : { [row.sets]: date }),
    ...(row.escalates === true ? { type: 'complaint' as const } : {}),
  };
}

/**
 * The number of a new complaint (tenders.md 7.1). Complaints about a tender and about its awards are numbered together:
 * `complaintCount` is how many of both exist.
 */
export function nextComplaintNumber(tenderID: string, serverId: string, complaintCount: number): string {
  return `${tenderID}.${serverId}${complaintCount + 1}`;
}
