import { anonymousRefusal, type Actor } from '@procurement/contracts/actor';
import type { BodyReading } from '@procurement/contracts/body-reading';
import { problem, type Problem } from '@procurement/contracts/problems';
import { isTestOnly } from './awarding.permissions.ts';

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

/** Complaints are filed by brokers with level 2 (tenders.md 1.4). */
export function notAccredited(actor: Actor, mode: string | undefined): Problem | undefined {
  if (actor.group === 'admins') return undefined;
  if (!actor.levels.includes('2')) return problem('request.level', { subject: 'complaint' });
  return isTestOnly(actor) && mode !== 'test' ? problem('request.test-only', { subject: 'complaint' }) : undefined;
}
