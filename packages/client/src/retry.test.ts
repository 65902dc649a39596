import { describe, expect, it } from 'vitest';
import { DEFAULT_RETRY, parseRetryAfterMs, retryDelayMs, type Failure } from './retry.ts';

const policy = { ...DEFAULT_RETRY, attemptsMax: 4, firstDelayMs: 100, delayMsMax: 300, retryAfterMsMax: 5_000 };
const delayOf = (failure: Failure, attempts = 1, isRepeatable = true, chance = 1): number | undefined =>
  retryDelayMs(policy, failure, { attempts, isRepeatable }, chance);

describe('retryDelayMs', () => {
  it.each([409, 429])('repeats every request that was refused with %i', (status) => {
    expect([delayOf({ status }), delayOf({ status }, 1, false)]).toEqual([100, 100]);
  });

  it.each([undefined, 408, 500, 502, 503, 504])('repeats after %s only what has no further effect', (status) => {
    const failure = status === undefined ? {} : { status };
    expect([delayOf(failure), delayOf(failure, 1, false)]).toEqual([100, undefined]);
  });

  it.each([302, 400, 401, 403, 404, 405, 410, 412, 413, 415, 422, 501])('never repeats after %i', (status) => {
    expect(delayOf({ status })).toBeUndefined();
  });

  it('doubles the delay up to its limit, spread over its upper half, and ends with the attempts', () => {
    expect([1, 2, 3, 4].map((attempts) => delayOf({}, attempts))).toEqual([100, 200, 300, undefined]);
    expect(delayOf({}, 2, true, 0)).toBe(100);
  });

  it('waits at least Retry-After, and gives up when that is too long', () => {
    expect(delayOf({ status: 503, retryAfterMs: 4_000 })).toBe(4_000);
    expect(delayOf({ status: 429, retryAfterMs: 10 })).toBe(100);
    expect(delayOf({ status: 503, retryAfterMs: 5_001 })).toBeUndefined();
  });
});

describe('parseRetryAfterMs', () => {
  it.each([
    ['2', undefined, 2_000],
    ['Sun, 22 Nov 2026 10:00:30 GMT', 'Sun, 22 Nov 2026 10:00:00 GMT', 30_000],
    ['Sun, 22 Nov 2026 10:00:00 GMT', 'Sun, 22 Nov 2026 10:00:30 GMT', 0],
    ['Sun, 22 Nov 2026 10:00:30 GMT', undefined, undefined],
    ['soon', undefined, undefined],
    ['', undefined, undefined],
  ])('%j in an answer of %s is %s ms', (retryAfter, date, ms) => {
    const headers = new Headers({ 'retry-after': retryAfter, ...(date === undefined ? {} : { date }) });
    expect(parseRetryAfterMs(headers)).toBe(ms);
  });
});
