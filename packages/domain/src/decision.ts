import type { Problem } from '@procurement/contracts/problems/problems';

/** The result of a decision: the events to store, or the problem to answer. An empty list means that nothing changes. */
export type Decision<E> = { readonly accepted: readonly E[] } | { readonly refused: Problem };
