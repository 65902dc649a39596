import { admitWrite } from '@procurement/domain/admission';
import type { ParseResult } from '@procurement/contracts/reading/parse-with';
import { invalid, problem, type Problem } from '@procurement/contracts/problems/problems';
import { mergePatch } from '@procurement/domain/merge';
import { tenderRoleOf, type TenderRole } from '@procurement/domain/roles';
import type { ChangeSubresource, TenderState } from './tender.ts';

/** Roles with the permission "edit tender" on its parts (tenders.md 1.6). The Administrator is refused later, by `roleRefusal`. */
const EDITORS: ReadonlySet<TenderRole> = new Set(['tender_owner', 'Administrator']);

/**
 * Admits an editor of lots, cancellations or answers (tenders.md 1.6), then reads the body, for a change merged into the stored
 * object. Gives the role of the editor and the object.
 */
export function readEdit<T>(
  state: TenderState,
  { body, meta }: Pick<ChangeSubresource, 'body' | 'meta'>,
  parse: (data: Readonly<Record<string, unknown>>) => ParseResult<T>,
  stored?: object,
): { readonly refused: Problem } | { readonly role: TenderRole; readonly value: T } {
  const role = tenderRoleOf(state, meta.actor);
  const admission = admitWrite(body, meta.actor, EDITORS.has(role), { owned: { owner: state.owner } });
  if ('refused' in admission) return admission;
  const reading = parse(stored === undefined ? admission.data : mergePatch({ ...stored }, admission.data));
  return reading.ok ? { role, value: reading.value } : { refused: invalid(reading.errors) };
}

/** The 403 `url`/`role` of a role that may not edit questions, lots and cancellations: all but the owner (tenders.md 1.7). */
export function roleRefusal(role: TenderRole): Problem | undefined {
  return role === 'tender_owner' ? undefined : problem('request.role-forbidden');
}
