import type { Problem } from '@procurement/contracts/problems';

/** What a decider answers: the events that happened, or why nothing may happen. An empty list means "nothing to do". */
export type Decision<E> = { readonly accepted: readonly E[] } | { readonly refused: Problem };

/** Tells the two apart, for callers that only pass a refusal on. */
export function isRefused<E>(decision: Decision<E>): decision is { readonly refused: Problem } {
  return 'refused' in decision;
}
