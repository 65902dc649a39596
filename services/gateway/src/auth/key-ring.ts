import { LRUCache } from 'lru-cache';
import type { Broker } from './broker.ts';

/** Where keys come from. Both throw when the database is away. */
export interface KeySource {
  /** Every key that is in force, by its SHA-256 in hex. */
  all(): Promise<ReadonlyMap<string, Broker>>;
  /** One of them, or undefined. */
  find(keyHash: string): Promise<Broker | undefined>;
}

/** The keys that this process knows. */
export interface KeyRing {
  /** The broker, undefined when unknown; a promise only when the database must be asked. */
  find(keyHash: string): Broker | undefined | Promise<Broker | undefined>;
  /** Reads all keys anew. What is known stays known when the database is away. */
  refresh(): Promise<void>;
  /** A key is in force from now on. */
  add(keyHash: string, broker: Broker): void;
  /** These keys are refused from now on, whatever an older reading of the database says. */
  revoke(keyHashes: readonly string[]): void;
  readonly size: number;
}

export interface KeyRingOptions {
  readonly source: KeySource;
  /** Milliseconds for which an unknown key stays unknown: guessing keys must not become load on the database. */
  readonly unknownMs: number;
  readonly unknownMax?: number;
  /** Milliseconds of a monotonic clock. */
  nowMs(): number;
}

/**
 * Holds all keys in memory: they are few, and every request needs one. The database being away does not lock brokers out;
 * a revocation reaches every replica by event, and at the latest with the next refresh.
 */
export function makeKeyRing({ source, unknownMs, unknownMax = 10_000, nowMs }: KeyRingOptions): KeyRing {
  let known = new Map<string, Broker>();
  // Kept apart from `known`: a refresh that was read before the revocation committed may arrive after it.
  const revoked = new Set<string>();
  const unknownUntil = new LRUCache<string, number>({ max: unknownMax });
  // A key may be added while a refresh that does not see it yet is on its way.
  let addedDuringRefresh = new Map<string, Broker>();

  async function lookUp(keyHash: string): Promise<Broker | undefined> {
    const broker = await source.find(keyHash);
    if (broker !== undefined && !revoked.has(keyHash)) {
      known.set(keyHash, broker);
      return broker;
    }
    unknownUntil.set(keyHash, nowMs() + unknownMs);
    return undefined;
  }

  return {
    find: (keyHash) => {
      const broker = known.get(keyHash);
      if (broker !== undefined) return broker;
      if (revoked.has(keyHash) || (unknownUntil.get(keyHash) ?? -1) > nowMs()) return undefined;
      return lookUp(keyHash);
    },
    refresh: async () => {
      addedDuringRefresh = new Map();
      const read = new Map(await source.all());
      for (const [keyHash, broker] of addedDuringRefresh) read.set(keyHash, broker);
      for (const keyHash of revoked) read.delete(keyHash);
      known = read;
      unknownUntil.clear();
    },
    add: (keyHash, broker) => {
      if (revoked.has(keyHash)) return;
      known.set(keyHash, broker);
      addedDuringRefresh.set(keyHash, broker);
      unknownUntil.delete(keyHash);
    },
    revoke: (keyHashes) => {
      for (const keyHash of keyHashes) {
        revoked.add(keyHash);
        known.delete(keyHash);
      }
    },
    get size() {
      return known.size;
    },
  };
}
