import { anonymousRefusal } from '@procurement/contracts/actor';
import { instantOf } from '@procurement/contracts/instant';
import { problem, type Problem, type ProblemCode } from '@procurement/contracts/problems';
import { DOCUMENT_RULES, writableIn, type DocumentWrite } from './document.permissions.ts';
import { documentRoleOf, type DocumentRole } from './document.roles.ts';
import type { DocumentMeta, DocumentVersion, Place } from './document.ts';

/** Why this caller may not write documents here at all: 401, or 403 `request.forbidden` (http.md 0.2 step 7). */
export function permissionRefusal(
  write: DocumentWrite,
  place: Place,
  { actor }: Pick<DocumentMeta, 'actor'>,
): Problem | undefined {
  const anonymous = anonymousRefusal(actor);
  if (anonymous !== undefined) return anonymous;
  const role = documentRoleOf(place, actor);
  return writableIn(place.parent.kind, write, role) === undefined ? problem('request.forbidden') : undefined;
}

const REFUSALS = {
  add: {
    status: 'document.add-status',
    complaint: 'document.add-complaint',
    contract: 'document.add-contract',
    lot: 'document.add-lot',
    period: 'document.add-period',
    award: 'document.add-award',
  },
  update: {
    status: 'document.update-status',
    complaint: 'document.update-complaint',
    contract: 'document.update-contract',
    lot: 'document.update-lot',
    period: 'document.update-period',
    award: 'document.update-award',
  },
} as const satisfies Record<DocumentWrite, Record<string, ProblemCode>>;

type Refusals = (typeof REFUSALS)[DocumentWrite];

/**
 * Why somebody with the permission may not write now (http.md 0.2 step 14): status of the tender, lot, status of the parent,
 * period, then the author. Where older segments run without guards, only a draft, the end of the tender and the author stand
 * against them (rulings R3).
 */
export function stateRefusal(
  write: DocumentWrite,
  place: Place,
  meta: DocumentMeta,
  newest?: DocumentVersion,
): Problem | undefined {
  const role = documentRoleOf(place, meta.actor);
  const isUnguarded =
    meta.settings.legacyGuardsOpen && meta.actor.segment !== '2.5' && !CLOSED.has(place.tender.status);
  const refusal = isUnguarded ? undefined : guardRefusal(write, place, role, meta);
  return refusal ?? (write === 'update' ? authorRefusal(place, role, newest) : undefined);
}

/** Statuses of a tender that is not there yet, or not any more. */
const CLOSED: ReadonlySet<string> = new Set(['draft', 'complete', 'unsuccessful', 'cancelled']);

function guardRefusal(write: DocumentWrite, place: Place, role: DocumentRole, meta: DocumentMeta): Problem | undefined {
  const { tender, parent, lotId, status = '' } = place;
  const rules = DOCUMENT_RULES[parent.kind];
  const refusals = REFUSALS[write];
  const allowed = writableIn(parent.kind, write, role) ?? [];
  if (!allowed.includes(tender.status)) return problem(refusals.status, { status: tender.status });
  if (rules.lot && lotId !== undefined) {
    const lot = tender.lots?.find(({ id }) => id === lotId);
    if (lot?.status !== 'active') return problem(refusals.lot);
  }
  const own = rules.own?.[role];
  if (own !== undefined && !own.includes(status)) {
    return problem(parent.kind === 'contract' ? refusals.contract : refusals.complaint, { status });
  }
  return parent.kind === 'bid' ? bidRefusal(place, refusals, meta) : undefined;
}

/** Bid documents: inside the tendering period, later only while the bid is considered (bids-awards-auction.md 1.6). */
function bidRefusal(place: Place, refusals: Refusals, { now }: DocumentMeta): Problem | undefined {
  const { status, tenderPeriod: { startDate, endDate } = {} } = place.tender;
  if (status !== 'active.tendering') return place.hasPendingAward ? undefined : problem(refusals.award);
  // The status may lag the clock by a second; the period does not.
  const isEarly = startDate !== undefined && now < instantOf(startDate);
  const isLate = endDate !== undefined && now > instantOf(endDate);
  return isEarly || isLate ? problem(refusals.period, { start: startDate ?? '', end: endDate ?? '' }) : undefined;
}

/** Only who added a document may change it; one without an author is the tender owner's (http.md 2.2). */
function authorRefusal({ parent }: Place, role: DocumentRole, newest?: DocumentVersion): Problem | undefined {
  if (DOCUMENT_RULES[parent.kind].author !== true || newest === undefined) return undefined;
  return (newest.record.author ?? 'tender_owner') === role ? undefined : problem('document.author');
}

const JUDGED: ReadonlySet<string> = new Set<ProblemCode>([
  ...Object.values(REFUSALS.add),
  ...Object.values(REFUSALS.update),
  'document.list-sealed',
  'document.sealed',
  'object.not-found',
]);

/** Our code of a body whose `relatedItem` names nothing that this tender is known to have. */
export const RELATED_UNKNOWN = 'document.related-unknown';

/** Refusals that may turn out otherwise with newer facts, and must therefore not come of an outdated copy. */
export function isJudgedByFacts({ code }: Problem): boolean {
  return JUDGED.has(code) || code === RELATED_UNKNOWN;
}
