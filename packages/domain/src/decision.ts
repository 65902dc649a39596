import type { Problem } from '@procurement/contracts/problems/problems';

/** What a decider answers: the events that happened, or why nothing may happen. An empty list means "nothing to do". */
export type Decision<E> = { readonly accepted: readonly E[] } | { readonly refused: Problem };
