import { LRUCache } from 'lru-cache';

/** A response of a service, and what a codec made of it. */
interface Entry {
  readonly received: Buffer;
  readonly mapped: Buffer;
}

const BYTES_MAX = 32 * 1024 * 1024;
const ENTRY_BYTES_MAX = 256 * 1024;
/** Longer answers do not fit into the cache, and take milliseconds to map. */
export const MAPPED_AT_ONCE_MAX = ENTRY_BYTES_MAX / 2;
const SEEN_KEYS_MAX = 4_096;
/** A longer key is not cached: addresses of clients have up to 16 KiB, and keys would take more memory than responses. */
const KEY_LENGTH_MAX = 1_024;

/**
 * Caches mapped responses by key. An entry is used only for exactly the bytes that it was mapped from, so it cannot be stale and
 * needs no invalidation: comparing 12 KB takes 1 µs, mapping them up to 60. A response is cached when its key comes for the
 * second time, so that a client which reads every tender once neither fills the cache nor leaves garbage.
 *
 * `map` gets the bytes as Latin-1: the syntax of JSON is ASCII, and the other bytes of UTF-8 pass through unchanged. Decoding and
 * encoding them would cost more than mapping. The key must hold everything that `map` depends on beside the bytes.
 */
export function makeResponseCache(): (key: string, received: Buffer, map: (text: string) => string) => Buffer {
  const entries = new LRUCache<string, Entry>({
    maxSize: BYTES_MAX,
    maxEntrySize: ENTRY_BYTES_MAX,
    sizeCalculation: ({ received, mapped }) => received.length + mapped.length,
  });
  const seenKeys = new LRUCache<string, true>({ max: SEEN_KEYS_MAX });
  return (key, received, map) => {
    const cached = entries.get(key);
    if (cached?.received.equals(received) === true) return cached.mapped;
    const entry = { received, mapped: Buffer.from(map(received.toString('latin1')), 'latin1') };
    if (key.length > KEY_LENGTH_MAX) return entry.mapped;
    // A copy: the bytes of a read are a part of the chunk of 64 KiB that came from the socket, and would keep all of it.
    if (seenKeys.has(key)) entries.set(key, { ...entry, received: Buffer.from(received) });
    else {
      seenKeys.set(key, true);
      entries.delete(key);
    }
    return entry.mapped;
  };
}
