import { monotonicMs } from '@procurement/kit/runtime/clock';

/** A limit of requests for each name: an address, a session. */
export interface RateLimit {
  /** Takes one. False when the name has to wait. */
  take(name: string): boolean;
}

export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

interface Bucket {
  tokens: number;
  atMs: number;
}

/** Names beyond it begin anew: an attacker with that many addresses is not stopped by a limit for each. */
const NAMES_MAX = 50_000;

/** Token buckets in memory: each replica counts for itself. */
export function rateLimit({ perSecond, burst }: Rate, nowMs: () => number = monotonicMs): RateLimit {
  const buckets = new Map<string, Bucket>();
  return {
    take(name) {
      const now = nowMs();
      const before = buckets.get(name) ?? { tokens: burst, atMs: now };
      const tokens = Math.min(burst, before.tokens + ((now - before.atMs) / 1_000) * perSecond);
      buckets.delete(name);
      buckets.set(name, { tokens: tokens >= 1 ? tokens - 1 : tokens, atMs: now });
      const [oldest] = buckets.keys();
      if (buckets.size > NAMES_MAX && oldest !== undefined) buckets.delete(oldest);
      return tokens >= 1;
    },
  };
}
