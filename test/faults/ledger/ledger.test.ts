import { describe, expect, it } from 'vitest';
import { faults } from './faults.ts';
import { schedule } from './schedule.ts';

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
});
