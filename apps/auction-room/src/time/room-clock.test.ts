import { SECOND } from '@procurement/contracts/reading/instant';
import { makeLog } from '@procurement/kit/runtime/log';
import type pg from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeRoomClock, UNCERTAINTY_MICROS_MAX, type RoomClock } from './room-clock.ts';

const START = 1_700_000_000 * SECOND;

let monotonic: number;
/** How far the time of the database is ahead of the monotonic clock. */
let ahead: number;
/** Microseconds that one question to the database takes. */
let wayAndBack: number;
let clock: RoomClock;

beforeEach(() => {
  monotonic = 5 * SECOND;
  ahead = START;
  wayAndBack = 2_000;
  // A stand-in for the one statement of the clock.
  const pool = {
    query: async () => {
      monotonic += wayAndBack / 2;
      const now = monotonic + ahead;
      monotonic += wayAndBack / 2;
      return { rows: [{ now: String(now) }] };
    },
  } as unknown as pg.Pool;
  clock = makeRoomClock({ pool, monotonicMicros: () => monotonic, log: makeLog('test', 'fatal') });
});

describe('the clock of the room', () => {
  it('is that of the database, with half of the way taken off', async () => {
    await clock.synchronize();
    expect(clock.now()).toBe(monotonic + START);
    expect(clock.uncertainty()).toBeCloseTo(1_000, -2);
  });

  it('shows whole microseconds', async () => {
    await clock.synchronize();
    monotonic += 0.7;
    expect(Number.isSafeInteger(clock.now())).toBe(true);
  });

  it('is uncertain before the first measurement, and when the last one is old', async () => {
    expect(clock.uncertainty()).toBe(Number.POSITIVE_INFINITY);
    await clock.synchronize();
    monotonic += 21 * SECOND;
    expect(clock.uncertainty()).toBe(Number.POSITIVE_INFINITY);
  });

  it('is uncertain when the way is long', async () => {
    wayAndBack = 120_000;
    await clock.synchronize();
    expect(clock.uncertainty()).toBeGreaterThan(UNCERTAINTY_MICROS_MAX);
  });

  it('stays certain while a busy moment makes the way long, until the last short one is old', async () => {
    await clock.synchronize();
    const samplesTaken = async (): Promise<void> => {
      monotonic += 5 * SECOND;
      await clock.synchronize();
    };
    wayAndBack = 120_000;
    await samplesTaken();
    expect(clock.uncertainty()).toBeLessThan(5_000);
    for (let n = 0; n < 4; n += 1) await samplesTaken();
    expect(clock.uncertainty()).toBeGreaterThan(UNCERTAINTY_MICROS_MAX);
  });

  it.each([20_000, -20_000])('works a difference of %d µs in by 5 ms a second', async (difference) => {
    await clock.synchronize();
    ahead += difference;
    await clock.synchronize();
    const before = clock.now();
    monotonic += SECOND;
    expect(clock.now() - before - SECOND).toBe(Math.sign(difference) * 5_000);
    expect(clock.uncertainty()).toBeGreaterThan(10_000);
    monotonic += 4 * SECOND;
    expect(clock.now()).toBe(monotonic + ahead);
  });

  it('stands still while the database is behind, and never goes back', async () => {
    await clock.synchronize();
    const before = clock.now();
    ahead -= 800_000;
    await clock.synchronize();
    monotonic += 500_000;
    const standing = clock.now();
    expect(standing - before).toBeLessThan(100_000);
    expect(standing).toBeGreaterThanOrEqual(before);
    expect(clock.uncertainty()).toBeGreaterThan(UNCERTAINTY_MICROS_MAX);
    monotonic += SECOND;
    expect(clock.uncertainty()).toBeLessThanOrEqual(UNCERTAINTY_MICROS_MAX);
  });

  it('goes ahead at once when the database is far ahead', async () => {
    await clock.synchronize();
    ahead += 3 * SECOND;
    await clock.synchronize();
    expect(clock.now()).toBe(monotonic + ahead);
  });
});
