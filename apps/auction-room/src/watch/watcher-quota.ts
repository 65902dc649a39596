import type { Duplex, Writable } from 'node:stream';
import type { Config } from '../config.ts';
import type { Hub } from './hub.ts';

/** Places of watchers at this replica: so many in all, and so many for each address (auction-room.md 10.3). */
export interface WatcherQuota {
  isFree(address: string): boolean;
  /** Takes a place until the connection closes. */
  take(address: string, connection: Duplex | Writable): void;
}

export function makeWatcherQuota(
  hub: Pick<Hub, 'count'>,
  { STREAMS_MAX, STREAMS_PER_ADDRESS_MAX }: Pick<Config, 'STREAMS_MAX' | 'STREAMS_PER_ADDRESS_MAX'>,
): WatcherQuota {
  const perAddress = new Map<string, number>();
  function count(address: string, by: number): void {
    const next = (perAddress.get(address) ?? 0) + by;
    if (next > 0) perAddress.set(address, next);
    else perAddress.delete(address);
  }
  return {
    isFree: (address) => hub.count() < STREAMS_MAX && (perAddress.get(address) ?? 0) < STREAMS_PER_ADDRESS_MAX,
    take(address, connection) {
      // A connection that is gone already sends no event that would give the place back.
      if (connection.destroyed) return;
      count(address, 1);
      connection.once('close', () => count(address, -1));
    },
  };
}
