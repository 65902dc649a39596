import type { Problem } from '@procurement/contracts/problems/problems';
import { ProblemError } from '@procurement/kit/http/problem-error';
import { dependsOnFacts } from '../domain/document.guards.ts';
import type { ParentState } from '../domain/document.ts';
import type { ParentRef } from './path.ts';

/**
 * Decides by this service's copies of tender, bid and awards, and once more by newer ones before a refusal that looks at them
 * is given: copies lag by milliseconds, and no refusal may come of that. Throws the refusal that stands.
 */
export async function decideWithRefresh<T extends object>(
  { parentState, refresh }: ParentRef,
  decide: (place: ParentState) => Promise<T | { readonly refused: Problem }>,
): Promise<T> {
  const first = await decide(parentState);
  if (!('refused' in first)) return first;
  if (!dependsOnFacts(first.refused)) throw new ProblemError(first.refused);
  const fresh = await refresh();
  if (fresh === undefined) throw new ProblemError(first.refused);
  const second = await decide(fresh);
  if ('refused' in second) throw new ProblemError(second.refused);
  return second;
}
