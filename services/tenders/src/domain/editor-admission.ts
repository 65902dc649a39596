import type { Actor } from '@procurement/contracts/api/actor';
import { admitWrite, type Admission } from '@procurement/domain/admission';
import type { BodyResult } from '@procurement/contracts/reading/body-result';
import { problem, type Problem } from '@procurement/contracts/problems/problems';
import { tenderRoleOf, type TenderRole } from '@procurement/domain/roles';
import type { TenderState } from './tender.ts';

/** Who passes the permission "edit tender" on what hangs off it; the Administrator passes and then has no view of it. */
const MAY_EDIT_OBJECTS: ReadonlySet<TenderRole> = new Set(['tender_owner', 'Administrator']);

/** Admission of those who edit lots, cancellations and answers (tenders.md 1.6), and as whom they come. */
export function admitEditor(
  state: TenderState,
  body: BodyResult,
  actor: Actor,
): Admission & { readonly role: TenderRole } {
  const role = tenderRoleOf(state, actor);
  return { ...admitWrite(body, actor, MAY_EDIT_OBJECTS.has(role)), role };
}

/** 403 `url`/`role`: the Administrator has no view of questions, lots and cancellations (tenders.md 1.7). */
export function roleRefusal(role: TenderRole): Problem | undefined {
  return role === 'tender_owner' ? undefined : problem('request.role-forbidden');
}
