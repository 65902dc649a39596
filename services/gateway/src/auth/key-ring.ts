import { LRUCache } from 'lru-cache';
import type { Broker } from './broker.ts';

/** Source of keys. Both functions throw when the database is down. */
export interface KeySource {
  /** All keys in force, by their SHA-256 in hex. */
  all(): Promise<ReadonlyMap<string, Broker>>;
  /** The broker of one key in force. */
  find(keyHash: string): Promise<Broker | undefined>;
}

/** Reads a key from the database. Rejects when the database is down, or too many keys are being read already. */
export type KeyLookup = () => Promise<Broker | undefined>;

/** Copy of all API keys in memory. */
export interface KeyRing {
  /**
   * The broker of a key, undefined when unknown. Returns a function when only the database knows: the caller decides whether to ask
   * it, because anybody can send keys that do not exist.
   */
  find(keyHash: string): Broker | undefined | KeyLookup;
  /** Reads all keys again. Rejects when the database is down; the keys in memory stay. */
  refresh(): Promise<void>;
  /**
   * Reads one key again, because it is said to have changed. One that is not in force is refused for good, also when a read that
   * started earlier still contains it. Rejects when the database is down; nothing changes then.
   */
  reread(keyHash: string): Promise<void>;
  readonly size: number;
}

export interface KeyRingOptions {
  readonly source: KeySource;
  /** How long an unknown key is cached as unknown, so that guessing keys does not load the database. */
  readonly unknownMs: number;
  /** Unknown keys that are cached. */
  readonly unknownMax?: number;
  /** Keys that are read from the database at the same time. */
  readonly lookupsMax?: number;
  /** Milliseconds of a monotonic clock. */
  nowMs(): number;
}

/**
 * Holds all keys in memory: they are few, and every request needs one. Brokers are not locked out while the database is down. A
 * revocation reaches every replica by event, and with the next refresh at the latest (decision 0015).
 */
export function makeKeyRing({
  source,
  unknownMs,
  unknownMax = 10_000,
  lookupsMax = 4,
  nowMs,
}: KeyRingOptions): KeyRing {
  let known = new Map<string, Broker>();
  // Separate from `known`: a refresh that read the table before the revocation was committed may finish after it.
  const revoked = new Set<string>();
  const unknownUntil = new LRUCache<string, number>({ max: unknownMax });
  // A running refresh may have read the table before a key was added.
  let addedDuringRefresh = new Map<string, Broker>();

  const running = new Map<string, Promise<Broker | undefined>>();

  /** Requests with the same key share one look-up. */
  async function lookUp(keyHash: string): Promise<Broker | undefined> {
    const shared = running.get(keyHash);
    if (shared !== undefined) return shared;
    if (running.size >= lookupsMax) throw new Error(`${lookupsMax} keys are being looked up already`);
    const lookup = readKey(keyHash).finally(() => running.delete(keyHash));
    running.set(keyHash, lookup);
    return lookup;
  }

  async function readKey(keyHash: string): Promise<Broker | undefined> {
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
      return async () => lookUp(keyHash);
    },
    refresh: async () => {
      addedDuringRefresh = new Map();
      const read = new Map(await source.all());
      for (const [keyHash, broker] of addedDuringRefresh) read.set(keyHash, broker);
      for (const keyHash of revoked) read.delete(keyHash);
      known = read;
      unknownUntil.clear();
    },
    reread: async (keyHash) => {
      const broker = await source.find(keyHash);
      if (broker === undefined) {
        revoked.add(keyHash);
        known.delete(keyHash);
      } else if (!revoked.has(keyHash)) {
        known.set(keyHash, broker);
        addedDuringRefresh.set(keyHash, broker);
        unknownUntil.delete(keyHash);
      }
    },
    get size() {
      return known.size;
    },
  };
}
