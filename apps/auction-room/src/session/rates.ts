import { monotonicMs } from '@procurement/kit/runtime/clock';

/** A limit of requests for each name: an address, a session. */
export interface RateLimit {
  /** Takes one. False when the name has to wait. */
  take(name: string): boolean;
  /** Seconds until a name that had to wait may take one, if it took none meanwhile. */
  readonly retryAfterSeconds: number;
}

export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

interface Bucket {
  tokens: number;
  atMs: number;
}

/** Too many requests. The error handler of the app answers 429. */
export class RateExceededError extends Error {
  constructor() {
    super('too many requests');
    this.name = 'RateExceededError';
  }
}

/** Runs work, at most `max` pieces of one name at a time. Throws RateExceededError beyond that. */
export function atMostAtOnce(max: number): <T>(name: string, work: () => Promise<T>) => Promise<T> {
  const counts = new Map<string, number>();
  return async (name, work) => {
    const before = counts.get(name) ?? 0;
    if (before >= max) throw new RateExceededError();
    counts.set(name, before + 1);
    try {
      return await work();
    } finally {
      const left = (counts.get(name) ?? 1) - 1;
      if (left > 0) counts.set(name, left);
      else counts.delete(name);
    }
  };
}

/** Names beyond it push out the oldest, which begins anew: an attacker with that many addresses is not stopped by a limit for each. */
const NAMES_MAX = 50_000;

/** Token buckets in memory: each replica counts for itself. */
export function rateLimit({ perSecond, burst }: Rate, nowMs: () => number = monotonicMs): RateLimit {
  const buckets = new Map<string, Bucket>();
  return {
    retryAfterSeconds: Math.ceil(1 / perSecond),
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
