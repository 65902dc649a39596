import { isPrivileged, type Actor } from '@procurement/contracts/api/actor';
import type { BodyResult } from '@procurement/contracts/reading/body-result';
import { problem, type Problem, type ProblemCode } from '@procurement/contracts/problems/problems';

export type Admission = { readonly data: Readonly<Record<string, unknown>> } | { readonly refused: Problem };

/**
 * The checks that precede the validation of a body, in the order of http.md 0.2 steps 6 to 9: content type (415), credentials
 * (401), permission (403), accreditation (403), and whether the body could be read (422). Gives the members of the body.
 */
export function admitWrite(
  body: BodyResult,
  actor: Actor,
  permitted: boolean,
  {
    accreditation,
    owned,
  }: { readonly accreditation?: Problem | undefined; readonly owned?: OwnedObject | undefined } = {},
): Admission {
  if (body.kind === 'refused' && body.problem.status === 415) return { refused: body.problem };
  const refusal = permissionProblem(actor, permitted, owned) ?? accreditation;
  if (refusal !== undefined) return { refused: refusal };
  return body.kind === 'refused' ? { refused: body.problem } : { data: body.data };
}

/** What a broker may change with an owner token. */
export interface OwnedObject {
  /** The broker that owns it, where everybody may know that. */
  readonly owner?: string;
}

/** The owner of a bid or complaint is known to its broker only. */
export const OWNER_UNSAID: OwnedObject = {};

/** 401 without usable credentials, 403 without the permission. `owned` is given where an owner token would permit the request. */
export function permissionProblem(actor: Actor, permitted: boolean, owned?: OwnedObject): Problem | undefined {
  return anonymousProblem(actor) ?? (permitted ? undefined : problem(forbiddenCode(actor, owned)));
}

/**
 * Why a caller lacks the permission, from what it sent and what is public. That a token is right is never told to another broker.
 */
function forbiddenCode(actor: Actor, owned: OwnedObject | undefined): ProblemCode {
  if (owned === undefined || isPrivileged(actor.group)) return 'request.forbidden';
  if (owned.owner !== undefined && owned.owner !== actor.broker) return 'request.other-broker';
  return actor.tokenHash === undefined ? 'request.token-missing' : 'request.token-wrong';
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
