/** An answer of a service, and what a segment made of it. */
interface Entry {
  readonly received: Buffer;
  readonly mapped: Buffer;
}

const BYTES_MAX = 32 * 1024 * 1024;
const ENTRY_BYTES_MAX = 256 * 1024;
const SEEN_KEYS_MAX = 4_096;

/**
 * Remembers what codecs made of answers, by where they came from. An entry is used only for the very bytes that it was made
 * of, so that it cannot be stale and needs no invalidation: comparing 12 kB costs 1 µs, mapping them up to 60. Kept is what is
 * asked for a second time: who reads every tender once fills no memory, and leaves no garbage. The entries that were not used
 * for longest go first.
 *
 * The map is given the bytes as Latin-1. What tells JSON apart is ASCII, the letters of UTF-8 pass through as they are; to
 * decode and encode them would cost more than to map.
 */
export function makeResponseCache(): (key: string, received: Buffer, map: (text: string) => string) => Buffer {
  const entries = new Map<string, Entry>();
  const seenKeys = new Set<string>();
  let bytes = 0;
  const evict = (key: string): void => {
    const entry = entries.get(key);
    if (entry === undefined) return;
    entries.delete(key);
    bytes -= sizeOf(entry);
  };
  return (key, received, map) => {
    const cached = entries.get(key);
    if (cached?.received.equals(received) === true) {
      // Put last again: a Map keeps the order in which keys came.
      entries.delete(key);
      entries.set(key, cached);
      return cached.mapped;
    }
    const entry = { received, mapped: Buffer.from(map(received.toString('latin1')), 'latin1') };
    evict(key);
    if (isFirstRequest(seenKeys, key) || sizeOf(entry) > ENTRY_BYTES_MAX) return entry.mapped;
    entries.set(key, entry);
    bytes += sizeOf(entry);
    for (const oldest of entries.keys()) {
      if (bytes <= BYTES_MAX) break;
      evict(oldest);
    }
    return entry.mapped;
  };
}

/** True when a key was not asked for lately, which it is from now on. */
function isFirstRequest(seenKeys: Set<string>, key: string): boolean {
  if (seenKeys.has(key)) return false;
  seenKeys.add(key);
  // A Set keeps the order in which keys came.
  for (const oldest of seenKeys) {
    if (seenKeys.size <= SEEN_KEYS_MAX) break;
    seenKeys.delete(oldest);
  }
  return true;
}

function sizeOf({ received, mapped }: Entry): number {
  return received.length + mapped.length;
}
