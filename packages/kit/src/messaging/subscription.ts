import type { Envelope } from '@procurement/contracts/events/envelope';
import type pg from 'pg';
import type { ConsumerDeclaration } from './bus.ts';

/** What a service does with the events it follows. One declaration a file in `src/events`. */
export interface Subscription extends ConsumerDeclaration {
  /**
   * Applies events in the transaction that marks them as applied. Given in order, many at once where many wait; types that
   * it does not know are to be passed over. Must have no effect outside `tx`.
   */
  apply(tx: pg.PoolClient, events: readonly Envelope[]): Promise<void>;
  /**
   * Pause after the first event, in which more may gather: fewer, larger transactions. For copies that nobody waits for; none
   * by default.
   */
  readonly gatherMs?: number;
  /** False: writers who wait until their event shows are not answered, because it does not show here. Default true. */
  readonly acksApplied?: boolean;
}
