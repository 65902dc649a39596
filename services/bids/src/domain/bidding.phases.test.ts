import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BiddingPhase } from './bid.ts';
import { NEXT_PHASE, type PhaseCommand } from './bidding.phases.ts';

function phaseAfter(commands: readonly PhaseCommand[]): BiddingPhase {
  let phase: BiddingPhase = 'open';
  for (const command of commands) phase = NEXT_PHASE[command][phase] ?? phase;
  return phase;
}

describe('NEXT_PHASE', () => {
  // Each command arrives by its own durable, and more than once.
  it('leads to the same phase in every order of the commands', () => {
    const commands = fc.array(fc.constantFrom<PhaseCommand>('seal', 'open', 'erase'), { maxLength: 6 });
    const orders = commands.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    );
    fc.assert(
      fc.property(orders, ([all, shuffled]) => {
        expect(phaseAfter(shuffled)).toBe(phaseAfter(all));
      }),
    );
  });
});
