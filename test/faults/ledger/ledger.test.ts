import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { faults } from './faults.ts';
import { schedule } from './schedule.ts';
import { shiftedClock } from './system.ts';

const SEED = 4;

function planned(seed: number, count: number): readonly unknown[] {
  const plan = schedule(seed, faults);
  return Array.from({ length: count }, () => plan.next().value);
}

describe('the ledger test', () => {
  it('repeats the schedule of a seed', () => {
    expect(planned(SEED, 50)).toEqual(planned(SEED, 50));
    expect(planned(SEED, 50)).not.toEqual(planned(SEED + 1, 50));
  });

  it('moves the clock of a process, and no date that is given', () => {
    const env = { ...process.env, ...shiftedClock(3_600_000) };
    const print = 'JSON.stringify([Date.now(), Number(new Date()), new Date(0).toISOString()])';
    const beganMs = Date.now();
    const [now, date, given] = JSON.parse(execFileSync(process.execPath, ['-p', print], { env, encoding: 'utf8' }));
    const endedMs = Date.now();
    for (const moved of [now, date]) {
      expect(moved).toBeGreaterThanOrEqual(beganMs + 3_600_000);
      expect(moved).toBeLessThanOrEqual(endedMs + 3_600_000);
    }
    expect(given).toBe('1970-01-01T00:00:00.000Z');
  });
});
