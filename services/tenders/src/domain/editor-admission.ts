import type { Actor } from '@procurement/contracts/api/actor';
import { admitWrite, type Admission } from '@procurement/domain/admission';
import type { BodyResult } from '@procurement/contracts/reading/body-result';
import { problem, type Problem } from '@procurement/contracts/problems/problems';
import { tenderRoleOf, type TenderRole } from '@procurement/domain/roles';
import type { TenderState } from './tender.ts';

/** Roles with the permission "edit tender" on its parts (tenders.md 1.6). The Administrator is refused later, by `roleRefusal`. */
const EDITORS: ReadonlySet<TenderRole> = new Set(['tender_owner', 'Administrator']);

/** Admits an editor of lots, cancellations or answers (tenders.md 1.6), with the editor's role. */
export function admitEditor(
  state: TenderState,
  body: BodyResult,
  actor: Actor,
): Admission & { readonly role: TenderRole } {
  const role = tenderRoleOf(state, actor);
  return { ...admitWrite(body, actor, EDITORS.has(role)), role };
}

/** The 403 `url`/`role` of a role that may not edit questions, lots and cancellations: all but the owner (tenders.md 1.7). */
export function roleRefusal(role: TenderRole): Problem | undefined {
  return role === 'tender_owner' ? undefined : problem('request.role-forbidden');
}
