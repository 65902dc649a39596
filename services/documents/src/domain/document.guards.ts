import type { Actor } from '@procurement/contracts/api/actor';
import { OWNER_UNSAID, permissionProblem, type OwnedObject } from '@procurement/domain/admission';
import { isWithinBegun } from '@procurement/domain/period';
import { legacyGuardsAreOpen } from '@procurement/domain/tender-status';
import { problem, type Problem, type ProblemCode, allowing } from '@procurement/contracts/problems/problems';
import {
  DOCUMENT_RULES,
  rulesKindOf,
  writableStatuses,
  type RulesKind,
  type WriteKind,
} from './document.permissions.ts';
import { documentRoleOf, hasOwnOwner, type DocumentRole } from './document.roles.ts';
import type { DocumentMeta, DocumentVersion, ParentState } from './document.ts';
import { visibilityRefusal } from './document.visibility.ts';

/** 401, or 403 `request.forbidden` for a caller who may never write documents of this parent (http.md 0.2 step 7). */
export function permissionRefusal(
  write: WriteKind,
  parentState: ParentState,
  { actor }: Pick<DocumentMeta, 'actor'>,
): Problem | undefined {
  return permissionProblem(actor, mayEverWrite(write, parentState, actor), ownedParent(parentState, actor));
}

/** The parent as an object that its owner token opens; undefined for a caller who has a role that may not write here. */
export function ownedParent(parentState: ParentState, actor: Actor): OwnedObject | undefined {
  if (documentRoleOf(parentState, actor) !== 'stranger') return undefined;
  return hasOwnOwner(parentState.parent.kind) || parentState.standalone !== undefined
    ? OWNER_UNSAID
    : { owner: parentState.tender.owner };
}

/** Whether the role of a caller may write documents of this parent in any status. */
export function mayEverWrite(write: WriteKind, parentState: ParentState, actor: Actor): boolean {
  return writableStatuses(rulesKindOf(parentState), write, documentRoleOf(parentState, actor)) !== undefined;
}

const REFUSAL_CODES = {
  add: {
    status: 'document.add-status',
    complaint: 'document.add-complaint',
    contract: 'document.add-contract',
    standaloneContract: 'document.add-contract-status',
    lot: 'document.add-lot',
    period: 'document.add-period',
    award: 'document.add-award',
  },
  update: {
    status: 'document.update-status',
    complaint: 'document.update-complaint',
    contract: 'document.update-contract',
    standaloneContract: 'document.update-contract-status',
    lot: 'document.update-lot',
    period: 'document.update-period',
    award: 'document.update-award',
  },
} as const satisfies Record<WriteKind, Record<string, ProblemCode>>;

const PARENT_STATUS_REFUSALS: Readonly<Partial<Record<RulesKind, keyof Refusals>>> = {
  contract: 'contract',
  'standalone contract': 'standaloneContract',
};

type Refusals = (typeof REFUSAL_CODES)[WriteKind];

/**
 * The refusal of a permitted caller: by the author (rulings R35 a), then by the current state (http.md 0.2 step 14): status of the
 * tender, lot, status of the parent, period. With open guards older segments are refused only for a draft or final tender and by
 * the author (rulings R3). Last: a document that the caller may not see.
 */
export function stateRefusal(
  write: WriteKind,
  parentState: ParentState,
  meta: DocumentMeta,
  newest?: DocumentVersion,
): Problem | undefined {
  const role = documentRoleOf(parentState, meta.actor);
  const notAuthor = write === 'update' ? authorRefusal(parentState, role, newest) : undefined;
  if (notAuthor !== undefined) return notAuthor;
  const isUnguarded = legacyGuardsAreOpen(meta.actor, meta.settings, parentState.tender.status);
  const closed = isUnguarded ? undefined : guardRefusal(write, parentState, role, meta);
  // The answer to a change shows the document (decision 0071).
  return closed ?? (write === 'update' ? visibilityRefusal(parentState, meta, 'document') : undefined);
}

function guardRefusal(
  write: WriteKind,
  parentState: ParentState,
  role: DocumentRole,
  meta: DocumentMeta,
): Problem | undefined {
  const { tender, parent, lotId, status = '' } = parentState;
  const kind = rulesKindOf(parentState);
  const rules = DOCUMENT_RULES[kind];
  const refusals = REFUSAL_CODES[write];
  const allowed = writableStatuses(kind, write, role) ?? [];
  if (!allowed.includes(tender.status)) {
    return allowing(problem(refusals.status, { status: tender.status }), { allowedStatuses: allowed });
  }
  if (rules.requiresActiveLot && lotId !== undefined) {
    const lot = tender.lots?.find(({ id }) => id === lotId);
    if (lot?.status !== 'active') return problem(refusals.lot);
  }
  const parentStatuses = rules.parentStatuses?.[role];
  if (parentStatuses !== undefined && !parentStatuses.includes(status)) {
    const refusal = problem(refusals[PARENT_STATUS_REFUSALS[kind] ?? 'complaint'], { status });
    return allowing(refusal, { allowedStatuses: parentStatuses });
  }
  return parent.kind === 'bid' ? bidRefusal(parentState, refusals, meta) : undefined;
}

/** Bid documents: inside the tendering period, later only while the bid is considered (bids-awards-auction.md 1.6). */
function bidRefusal(parentState: ParentState, refusals: Refusals, { now }: DocumentMeta): Problem | undefined {
  const { status, tenderPeriod = {} } = parentState.tender;
  if (status !== 'active.tendering') return parentState.hasPendingAward ? undefined : problem(refusals.award);
  // The status may lag the clock by a second, so the period is checked as well.
  if (isWithinBegun(tenderPeriod, now)) return undefined;
  const { startDate = '', endDate = '' } = tenderPeriod;
  const refusal = problem(refusals.period, { start: startDate, end: endDate });
  return allowing(refusal, { allowedFrom: tenderPeriod.startDate, allowedUntil: tenderPeriod.endDate });
}

/** Only the role that added a document may change it; one without an author belongs to the tender owner (http.md 2.2). */
function authorRefusal({ parent }: ParentState, role: DocumentRole, newest?: DocumentVersion): Problem | undefined {
  if (DOCUMENT_RULES[parent.kind].authorOnly !== true || newest === undefined) return undefined;
  return (newest.record.author ?? 'tender_owner') === role ? undefined : problem('document.author');
}

/** A body whose `relatedItem` names no item or lot of this service's copy of the tender. Clients see the fault of the member. */
export const RELATED_UNKNOWN = 'document.related-unknown' satisfies ProblemCode;

const CODES_DEPENDING_ON_FACTS: ReadonlySet<string> = new Set<ProblemCode>([
  ...Object.values(REFUSAL_CODES.add),
  ...Object.values(REFUSAL_CODES.update),
  'document.change-closed',
  'document.list-sealed',
  'document.sealed',
  'object.not-found',
  RELATED_UNKNOWN,
]);

/** Whether newer facts may change a refusal, so that a stale copy must not cause it (decision 0029). */
export function dependsOnFacts({ code }: Problem): boolean {
  return CODES_DEPENDING_ON_FACTS.has(code);
}
