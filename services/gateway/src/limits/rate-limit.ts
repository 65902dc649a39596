import { isComponent } from '../auth/broker.ts';
import type { Caller } from '../auth/caller.ts';

export interface RateLimitSettings {
  /** Per address; 0 is no limit. */
  readonly readsPerSecond: number;
  /** Per broker, or per address of a caller without a key; 0 is no limit. */
  readonly writesPerSecond: number;
  /** Per broker at the same time; 0 is no limit. */
  readonly uploadsMax: number;
}

export interface RateLimit {
  /** Takes one request out of its bucket. Returns 0, or the whole seconds after which it may be tried again. */
  consume(caller: Caller, address: string, write: boolean): number;
  /** Begins an upload; undefined when the broker has too many. The result ends it and may be called twice. */
  acquireUpload(caller: Caller, address: string): (() => void) | undefined;
}

const BUCKETS_MAX = 50_000;

/**
 * Token buckets in memory (http.md 5.7): a bucket holds one second's worth and fills evenly. Each replica counts for
 * itself. Components of the system are not limited.
 */
export function makeRateLimit(settings: RateLimitSettings, nowMs: () => number): RateLimit {
  const reads = makeBuckets(settings.readsPerSecond, nowMs);
  const writes = makeBuckets(settings.writesPerSecond, nowMs);
  const uploads = new Map<string, number>();
  return {
    consume: (caller, address, write) => {
      if (caller.kind === 'broker' && isComponent(caller.broker)) return 0;
      return write ? writes(rateLimitKey(caller, address)) : reads(address);
    },
    acquireUpload: (caller, address) => {
      const key = rateLimitKey(caller, address);
      const running = uploads.get(key) ?? 0;
      const isExempt = settings.uploadsMax === 0 || (caller.kind === 'broker' && isComponent(caller.broker));
      if (!isExempt && running >= settings.uploadsMax) return undefined;
      uploads.set(key, running + 1);
      let isReleased = false;
      return () => {
        if (isReleased) return;
        isReleased = true;
        const left = (uploads.get(key) ?? 1) - 1;
        if (left > 0) uploads.set(key, left);
        else uploads.delete(key);
      };
    },
  };
}

function rateLimitKey(caller: Caller, address: string): string {
  return caller.kind === 'broker' ? `broker ${caller.broker.name}` : address;
}

interface Bucket {
  tokens: number;
  at: number;
}

function makeBuckets(perSecond: number, nowMs: () => number): (who: string) => number {
  if (perSecond === 0) return () => 0;
  const size = Math.max(perSecond, 1);
  const buckets = new Map<string, Bucket>();
  return (who) => {
    const now = nowMs();
    const bucket = buckets.get(who) ?? { tokens: size, at: now };
    bucket.tokens = Math.min(size, bucket.tokens + ((now - bucket.at) / 1_000) * perSecond);
    bucket.at = now;
    if (buckets.size >= BUCKETS_MAX && !buckets.has(who)) evictFullBuckets(buckets, size, perSecond, now);
    buckets.set(who, bucket);
    if (bucket.tokens >= 1) {
      bucket.tokens -= 1;
      return 0;
    }
    return Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond));
  };
}

/** A bucket that is full again says no more than a new one. When none is, all are dropped: memory is bounded first. */
function evictFullBuckets(buckets: Map<string, Bucket>, size: number, perSecond: number, now: number): void {
  for (const [key, { tokens, at }] of buckets) {
    if (tokens + ((now - at) / 1_000) * perSecond >= size) buckets.delete(key);
  }
  if (buckets.size >= BUCKETS_MAX) buckets.clear();
}
