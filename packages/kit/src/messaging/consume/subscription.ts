import type { Envelope } from '@procurement/contracts/events/envelope';
import type pg from 'pg';
import type { ConsumerDeclaration } from './ensure-consumer.ts';

/** A durable consumer of a service, and how it applies events. One per file in `src/events`. */
export interface Subscription extends ConsumerDeclaration {
  /**
   * Applies events in the transaction that marks them as applied. Gets them in order, in batches when several wait. Must skip
   * types that it does not handle, and have no effect outside `tx`.
   */
  apply(tx: pg.PoolClient, events: readonly Envelope[]): Promise<void>;
  /**
   * Event types that `apply` handles, when the filter lets others through: the data of other large events is not requested.
   * Default: all.
   */
  readonly types?: readonly string[];
  /**
   * Bytes of the rows that `apply` reads, by the subjects of events. With it a transaction reads at most 8 MiB of rows, or one
   * row. Called outside the transaction.
   */
  rowBytes?(subjects: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /**
   * Milliseconds to wait after the first event for more, for fewer and larger transactions. For copies that no request waits
   * for. Default 0.
   */
  readonly gatherMs?: number;
  /** False: does not acknowledge to waiting writers, because no endpoint shows their events from here. Default true. */
  readonly acksApplied?: boolean;
  /**
   * The event type whose current data its owner sends on request (`fact-pages.ts`); `apply` can repair from them what it
   * maintains. Absent: its events are commands. Their senders repeat them until they are answered.
   */
  readonly factType?: string;
  /** The kind of the rows of `replica` that it maintains. */
  readonly replicaKind?: string;
  /** What it maintains by the keys of its facts: `rebuild` removes from it what the owner does not have. */
  readonly copies?: Copies;
}

/** Copies of what another service owns, by the keys of its facts. */
export interface Copies {
  /** Keys after this one in their order, at most `max`. */
  keys(db: Pick<pg.Pool, 'query'>, after: string, max: number): Promise<readonly string[]>;
  /** Removes copies whose object their owner does not have, with all that depends on it. */
  remove(tx: pg.PoolClient, keys: readonly string[]): Promise<void>;
}

/** Whether the data of an event have to be requested from its publisher before it is applied. */
export function needsData(
  { types }: { readonly types?: readonly string[] | undefined },
  { type, dataref }: Envelope,
): boolean {
  return dataref !== undefined && types?.includes(type) !== false;
}
