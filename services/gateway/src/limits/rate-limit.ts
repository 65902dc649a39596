import { RATE_CLASSES, weightOfBytes, type RateClass } from '@procurement/contracts/api/rates';
import { problem, type Problem } from '@procurement/contracts/problems/problems';
import { LRUCache } from 'lru-cache';
import { isComponent } from '../auth/broker.ts';
import type { Caller } from '../auth/caller.ts';
import { clientKey } from '../request/client-key.ts';
import { makeCounter } from './counter.ts';

export interface RateLimitSettings {
  /** Limit of each address; 0 means no limit. */
  readonly readsPerSecond: number;
  /** Limit of each broker, or of each address of callers without a key; 0 means no limit. */
  readonly writesPerSecond: number;
  /** Simultaneous uploads per broker; 0 means no limit. */
  readonly uploadsMax: number;
}

/** A read of a class with a rate of its own. */
export interface ClassRead {
  readonly name: RateClass;
  /** The query without the question mark. */
  readonly query: string;
}

/** A JSON body that the gateway reads and parses. `bytes`: its Content-Length, if there is one. */
export interface AnnouncedBody {
  readonly bytes: number | undefined;
}

/** What a limit says about one request. */
export interface RateVerdict {
  /** 0, or the whole seconds after which to try again (`Retry-After`). */
  readonly retryAfterSeconds: number;
  /** `RateLimit` headers; absent while a client that reads is far from its limit, and without a limit. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface RateLimit {
  /** Takes from the caller's bucket. `body`: the JSON body of a write, which counts by its size. */
  consume(caller: Caller, address: string, write: boolean, classRead?: ClassRead, body?: AnnouncedBody): RateVerdict;
  /** Takes from the bucket of a request what its answer counts more. The bucket may then be in debt, and later requests wait for that. */
  charge(caller: Caller, address: string, write: boolean, tokens: number, rateClass?: RateClass): void;
  /** Refuses while the bucket of a read is in debt, and takes nothing. */
  checkDebt(caller: Caller, address: string, rateClass?: RateClass): RateVerdict;
  /** Starts an upload; undefined when the broker runs too many. Call the result when it ends; calling it twice is allowed. */
  acquireUpload(caller: Caller, address: string): (() => void) | undefined;
}

/** The refusal of a request that is above its rate; undefined when it may go on. */
export function rateProblem({ retryAfterSeconds }: RateVerdict): Problem | undefined {
  return retryAfterSeconds === 0
    ? undefined
    : problem('request.too-many', {}, { 'retry-after': String(retryAfterSeconds) });
}

const BUCKETS_MAX = 50_000;
/** Many large reads at the same time must not lock a client out for longer. */
const DEBT_SECONDS_MAX = 10;

/**
 * Token buckets in memory (http.md 5.7): a bucket holds one second's worth of requests and fills evenly. Each
 * replica counts for itself. Components of the system are not limited.
 */
export function makeRateLimit(settings: RateLimitSettings, nowMs: () => number): RateLimit {
  const reads = makeBuckets('reads', settings.readsPerSecond, nowMs);
  const writes = makeBuckets('writes', settings.writesPerSecond, nowMs);
  const classes = makeClassBuckets(settings.readsPerSecond === 0, nowMs);
  const uploads = makeCounter(settings.uploadsMax);
  return {
    consume: (caller, address, write, classRead, body) => {
      if (isExempt(caller)) return ALLOWED;
      const key = clientKey(caller, address);
      if (classRead !== undefined) return classes[classRead.name][caller.kind].take(key, weightOf(classRead));
      return write ? writes.take(key, weightOfBody(body)) : reads.take(address, 1);
    },
    charge: (caller, address, write, tokens, rateClass) => {
      if (tokens === 0 || isExempt(caller)) return;
      const key = clientKey(caller, address);
      if (rateClass !== undefined) classes[rateClass][caller.kind].charge(key, tokens);
      else if (write) writes.charge(key, tokens);
      else reads.charge(address, tokens);
    },
    checkDebt: (caller, address, rateClass) => {
      if (isExempt(caller)) return ALLOWED;
      if (rateClass === undefined) return reads.take(address, 0);
      return classes[rateClass][caller.kind].take(clientKey(caller, address), 0);
    },
    acquireUpload: (caller, address) => {
      const key = clientKey(caller, address);
      if (isExempt(caller)) return () => undefined;
      if (!uploads.enter(key)) return undefined;
      let isReleased = false;
      return () => {
        if (!isReleased) uploads.leave(key);
        isReleased = true;
      };
    },
  };
}

function isExempt(caller: Caller): boolean {
  return caller.kind === 'broker' && isComponent(caller.broker);
}

/** Buckets by key. */
interface Buckets {
  take(key: string, tokens: number): RateVerdict;
  charge(key: string, tokens: number): void;
}

/** Buckets of each class, by whether the caller has a key. Where reads have no limit, classes have none. */
function makeClassBuckets(
  isUnlimited: boolean,
  nowMs: () => number,
): Readonly<Record<RateClass, Readonly<Record<Caller['kind'], Buckets>>>> {
  const makeCallerBuckets = (name: RateClass) => {
    const { perAddress, perBroker } = RATE_CLASSES[name];
    return {
      anonymous: makeBuckets(name, isUnlimited ? 0 : perAddress, nowMs),
      broker: makeBuckets(name, isUnlimited ? 0 : perBroker, nowMs),
    };
  };
  return {
    lookup: makeCallerBuckets('lookup'),
    search: makeCallerBuckets('search'),
    history: makeCallerBuckets('history'),
    stream: makeCallerBuckets('stream'),
    webhook: makeCallerBuckets('webhook'),
    export: makeCallerBuckets('export'),
  };
}

/** What a request counts: 1, and more for the entries of its list. */
function weightOf({ name, query }: ClassRead): number {
  const row: (typeof RATE_CLASSES)[RateClass] = RATE_CLASSES[name];
  if (!('weightOf' in row)) return 1;
  const { list, entries } = row.weightOf;
  const text = new URLSearchParams(query).get(list) ?? '';
  return 1 + Math.floor(text.split(',').length / entries);
}

/** Weight of a body whose length is not announced: clients that send such bodies are rare, and the bodies are usually small. */
const WEIGHT_OF_UNKNOWN = 4;

function weightOfBody(body: AnnouncedBody | undefined): number {
  if (body === undefined) return 1;
  return body.bytes === undefined ? WEIGHT_OF_UNKNOWN : 1 + weightOfBytes('body', body.bytes);
}

interface Bucket {
  tokens: number;
  updatedMs: number;
}

/** Shared, because nearly all verdicts are this one. */
const ALLOWED: RateVerdict = { retryAfterSeconds: 0 };

/** A quota is what may be sent in one second. */
function makeBuckets(policy: 'reads' | 'writes' | RateClass, perSecond: number, nowMs: () => number): Buckets {
  if (perSecond === 0) return { take: () => ALLOWED, charge: () => undefined };
  const size = Math.max(perSecond, 1);
  // A second in which less than one request is allowed has no whole quota.
  const [quota, window] = perSecond >= 1 ? [Math.floor(perSecond), 1] : [1, Math.ceil(1 / perSecond)];
  const verdict = (remaining: number, retryAfterSeconds: number): RateVerdict => ({
    retryAfterSeconds,
    headers: {
      'ratelimit-policy': `"${policy}";q=${quota};w=${window}`,
      ratelimit: `"${policy}";r=${remaining};t=${retryAfterSeconds === 0 ? window : retryAfterSeconds}`,
    },
  });
  // The bucket that was not used for longest is evicted first: it is the most likely to be full, as a new one would be.
  const buckets = new LRUCache<string, Bucket>({ max: BUCKETS_MAX });
  const filled = (key: string): Bucket => {
    const now = nowMs();
    let bucket = buckets.get(key);
    if (bucket === undefined) {
      bucket = { tokens: size, updatedMs: now };
      buckets.set(key, bucket);
    }
    bucket.tokens = Math.min(size, bucket.tokens + ((now - bucket.updatedMs) / 1_000) * perSecond);
    bucket.updatedMs = now;
    return bucket;
  };
  return {
    take: (key, tokens) => {
      const bucket = filled(key);
      // A request that counts more than a full bucket takes all of it.
      const taken = Math.min(tokens, size);
      if (bucket.tokens < taken) return verdict(0, Math.max(1, Math.ceil((taken - bucket.tokens) / perSecond)));
      bucket.tokens -= taken;
      // Two texts for every read of a tender would cost more than they tell.
      if (policy === 'reads' && bucket.tokens > size / 2) return ALLOWED;
      return verdict(Math.floor(bucket.tokens), 0);
    },
    charge: (key, tokens) => {
      const bucket = filled(key);
      bucket.tokens = Math.max(-DEBT_SECONDS_MAX * size, bucket.tokens - Math.min(tokens, size));
    },
  };
}
