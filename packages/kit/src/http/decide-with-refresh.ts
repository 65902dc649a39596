import type { Problem } from '@procurement/contracts/problems/problems';
import { ProblemError } from '../runtime/problem-error.ts';

/** Facts that a decision depends on, read from a local copy, and the way to newer ones. */
export interface RefreshableFacts<F> {
  readonly facts: F;
  /** Newer facts; undefined when nothing has changed, so that a second decision would equal the first. */
  refresh(): Promise<F | undefined>;
}

/**
 * Decides by the local copy of the facts. A refusal that depends on them is decided once more by refreshed facts: the copy may
 * lag its owner by milliseconds, and no refusal may come from that. Throws the last refusal as a ProblemError. `decide` may
 * run twice.
 */
export async function decideWithRefresh<F, T extends object>(
  source: RefreshableFacts<F>,
  dependsOnFacts: (refused: Problem) => boolean,
  decide: (facts: F) => Promise<T | { readonly refused: Problem }>,
): Promise<T> {
  const first = await decide(source.facts);
  if (!('refused' in first)) return first;
  const newer = dependsOnFacts(first.refused) ? await source.refresh() : undefined;
  if (newer === undefined) throw new ProblemError(first.refused);
  const second = await decide(newer);
  if ('refused' in second) throw new ProblemError(second.refused);
  return second;
}
