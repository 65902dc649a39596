import { anonymousRefusal, type Actor } from '@procurement/contracts/actor';
import type { BodyReading } from '@procurement/contracts/body-reading';
import { problem, type Problem } from '@procurement/contracts/problems';
import type { TenderState } from './tender.ts';
import { isTestOnly, roleOf, type TenderRole } from './tender.permissions.ts';

export type Admission = { readonly data: Readonly<Record<string, unknown>> } | { readonly refused: Problem };

/**
 * What comes before a body is looked into, in the order of http.md 0.2 steps 6 to 9: content type, credentials, permission,
 * accreditation, and whether there is a body to read.
 */
export function admit(body: BodyReading, actor: Actor, permitted: boolean, unaccredited?: Problem): Admission {
  if (body.kind === 'refused' && body.problem.status === 415) return { refused: body.problem };
  const refusal = notPermitted(actor, permitted) ?? unaccredited;
  if (refusal !== undefined) return { refused: refusal };
  return body.kind === 'refused' ? { refused: body.problem } : { data: body.data };
}

/** 401 for a caller that nobody knows, 403 for one that may not. */
export function notPermitted(actor: Actor, permitted: boolean): Problem | undefined {
  return anonymousRefusal(actor) ?? (permitted ? undefined : problem('request.forbidden'));
}

/** Creation of what brokers with level 2 add to somebody's tender (tenders.md 1.4). */
export function notAccredited(
  actor: Actor,
  mode: string | undefined,
  subject: 'question' | 'complaint',
): Problem | undefined {
  if (actor.group === 'admins') return undefined;
  if (!actor.levels.includes('2')) return problem('request.level', { subject });
  return isTestOnly(actor) && mode !== 'test' ? problem('request.test-only', { subject }) : undefined;
}

/** Who passes the permission "edit tender" on what hangs off it; the Administrator passes and then has no view of it. */
const MAY_EDIT_OBJECTS: ReadonlySet<TenderRole> = new Set(['tender_owner', 'Administrator']);

/** Admission of those who edit lots, cancellations and answers (tenders.md 1.6), and as whom they come. */
export function admitEditor(
  state: TenderState,
  body: BodyReading,
  actor: Actor,
): Admission & { readonly role: TenderRole } {
  const role = roleOf(state, actor);
  return { ...admit(body, actor, MAY_EDIT_OBJECTS.has(role)), role };
}

/** 403 `url`/`role`: the Administrator has no view of questions, lots and cancellations (tenders.md 1.7). */
export function noView(role: TenderRole): Problem | undefined {
  return role === 'tender_owner' ? undefined : problem('request.role-forbidden');
}
