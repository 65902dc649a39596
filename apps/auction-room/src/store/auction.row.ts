import { addMicros, type Instant } from '@procurement/contracts/reading/instant';
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Auction } from '../domain/auction.ts';
import { nextTimer } from '../domain/auction.timers.ts';
import { SHARDS } from './leases.store.ts';
import { OutageRow } from './replicas.store.ts';

/** What a transaction on one auction reads together with the lock of its row. */
export const LockedRow = z.object({
  seq: z.number().int(),
  aheadMicros: z.coerce.number().int(),
  outagesSeen: z.number().int(),
  /** Absent when the caller has the state of this `seq` already. */
  state: z.string().nullable(),
  /** Whether this replica has worked during the last seconds, by the clock of the database. */
  alive: z.boolean(),
  outages: z.array(OutageRow),
});
export type LockedRow = z.infer<typeof LockedRow>;

/** The stored text is what this store wrote: the fold of the log. */
export function parseState(text: string): Auction {
  return JSON.parse(text) as Auction; // Safe cast: only this store writes the column, as JSON of an Auction.
}

/** The shard of an auction, from its id. */
export function shardOf(auctionId: string): number {
  return createHash('sha256').update(auctionId).digest().readUInt32BE(0) % SHARDS;
}

/**
 * Room time at which the timers run the next boundary of an auction, or nothing. A turn that ends waits for offers that arrived in
 * time and are still being recorded (auction-room.md 6.4).
 */
export function storedDueAt(auction: Auction, turnEndMicros: number, aheadMicros: number): Instant | null {
  const timer = nextTimer(auction);
  if (timer === undefined) return null;
  return addMicros(timer.at, (timer.endsTurn ? turnEndMicros : 0) - aheadMicros);
}
