import type { BiddingPhase } from './bid.ts';

/** What may be called for: that bids are closed, shown, or erased with their tender. */
export type PhaseCommand = 'seal' | 'open' | 'erase';

/**
 * The phase after a call; undefined where it speaks to nothing. A phase that stays is a repeat, and answered like the first
 * call. Erased is final: the tender is cancelled and nobody waits. To open what was never sealed closes it as well, because
 * nothing may be added to what is shown.
 */
export const NEXT_PHASE: Readonly<Record<PhaseCommand, Readonly<Record<BiddingPhase, BiddingPhase | undefined>>>> = {
  seal: { open: 'sealed', sealed: 'sealed', opened: 'opened', erased: undefined },
  open: { open: 'opened', sealed: 'opened', opened: 'opened', erased: undefined },
  erase: { open: 'erased', sealed: 'erased', opened: 'erased', erased: undefined },
};
