import type { Actor } from '@procurement/contracts/api/actor';
import type { BodyResult } from '@procurement/contracts/reading/body-result';
import { problem, type Problem } from '@procurement/contracts/problems/problems';

export type Admission = { readonly data: Readonly<Record<string, unknown>> } | { readonly refused: Problem };

/**
 * What comes before a body is looked into, in the order of http.md 0.2 steps 6 to 9: content type, credentials, permission,
 * accreditation, and whether there is a body to read.
 */
export function admitWrite(body: BodyResult, actor: Actor, permitted: boolean, accreditation?: Problem): Admission {
  if (body.kind === 'refused' && body.problem.status === 415) return { refused: body.problem };
  const refusal = permissionProblem(actor, permitted) ?? accreditation;
  if (refusal !== undefined) return { refused: refusal };
  return body.kind === 'refused' ? { refused: body.problem } : { data: body.data };
}

/** 401 for a caller that nobody knows, 403 for one that may not. */
export function permissionProblem(actor: Actor, permitted: boolean): Problem | undefined {
  return anonymousProblem(actor) ?? (permitted ? undefined : problem('request.forbidden'));
}

/** Creation of what brokers with level 2 add to somebody's tender (tenders.md 1.4). */
export function accreditationProblem(
  actor: Actor,
  mode: string | undefined,
  subject: 'bid' | 'question' | 'complaint',
): Problem | undefined {
  if (actor.group === 'admins') return undefined;
  if (!actor.levels.includes('2')) return problem('request.level', { subject });
  return isTestOnly(actor) && mode !== 'test' ? problem('request.test-only', { subject }) : undefined;
}

/** The 401 of a caller without usable credentials (rulings R1); undefined for a broker. */
export function anonymousProblem(actor: Actor): Problem | undefined {
  if (actor.broker !== undefined) return undefined;
  return problem(actor.credentials === 'unknown' ? 'request.key-unknown' : 'request.key-missing');
}

/** A broker on trial may write to test tenders only (tenders.md 1.6). */
export function isTestOnly(actor: Actor): boolean {
  return actor.group !== 'admins' && actor.levels.includes('t');
}
