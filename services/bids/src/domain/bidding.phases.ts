import type { BiddingPhase } from './bid.ts';

/** Commands that change the phase: close the bidding, make bids public, erase bids with their tender. */
export type PhaseCommand = 'seal' | 'open' | 'erase';

/**
 * Next phase by command and current phase; `undefined`: the command does not apply. A phase that stays is a repeated command,
 * which gets the same answer as the first. `erased` is final. Opening bids that were never sealed closes the bidding as well,
 * because no bid may be added once bids are public.
 */
export const NEXT_PHASE: Readonly<Record<PhaseCommand, Readonly<Record<BiddingPhase, BiddingPhase | undefined>>>> = {
  seal: { open: 'sealed', sealed: 'sealed', opened: 'opened', erased: undefined },
  open: { open: 'opened', sealed: 'opened', opened: 'opened', erased: undefined },
  erase: { open: 'erased', sealed: 'erased', opened: 'erased', erased: 'erased' },
};
