import type { Actor } from '@procurement/contracts/api/actor';
import type { BodyResult } from '@procurement/contracts/reading/body-result';
import { problem, type Problem } from '@procurement/contracts/problems/problems';

export type Admission = { readonly data: Readonly<Record<string, unknown>> } | { readonly refused: Problem };

/**
 * The checks that precede the validation of a body, in the order of http.md 0.2 steps 6 to 9: content type (415), credentials
 * (401), permission (403), accreditation (403), and whether the body could be read (422). Gives the members of the body.
 */
export function admitWrite(body: BodyResult, actor: Actor, permitted: boolean, accreditation?: Problem): Admission {
  if (body.kind === 'refused' && body.problem.status === 415) return { refused: body.problem };
  const refusal = permissionProblem(actor, permitted) ?? accreditation;
  if (refusal !== undefined) return { refused: refusal };
  return body.kind === 'refused' ? { refused: body.problem } : { data: body.data };
}

/** 401 without usable credentials, 403 without the permission. */
export function permissionProblem(actor: Actor, permitted: boolean): Problem | undefined {
  return anonymousProblem(actor) ?? (permitted ? undefined : problem('request.forbidden'));
}

/** The 403 of a broker without level 2, or of a test-only broker on a real tender (tenders.md 1.4). `admins` pass. */
export function accreditationProblem(
  actor: Actor,
  mode: string | undefined,
  subject: 'bid' | 'question' | 'complaint',
): Problem | undefined {
  if (actor.group === 'admins') return undefined;
  if (!actor.levels.includes('2')) return problem('request.level', { subject });
  return isTestOnly(actor) && mode !== 'test' ? problem('request.test-only', { subject }) : undefined;
}

/** The 401 of a caller without usable credentials (rulings R1); `undefined` for a known broker. */
export function anonymousProblem(actor: Actor): Problem | undefined {
  if (actor.broker !== undefined) return undefined;
  return problem(actor.credentials === 'unknown' ? 'request.key-unknown' : 'request.key-missing');
}

/** Whether the broker may write to test tenders only: flag `t` among its levels (tenders.md 1.4). */
export function isTestOnly(actor: Actor): boolean {
  return actor.group !== 'admins' && actor.levels.includes('t');
}
