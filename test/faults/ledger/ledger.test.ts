import { describe, expect, it } from 'vitest';
import { faults } from './faults.ts';
import { runLedger } from './run.ts';
import { schedule } from './schedule.ts';

const SEED = 4;
const FAULTS = 6;

function planned(seed: number, count: number): readonly unknown[] {
  const plan = schedule(seed, faults);
  return Array.from({ length: count }, () => plan.next().value);
}

describe('the ledger test', () => {
  it('repeats the schedule of a seed', () => {
    expect(planned(SEED, 50)).toEqual(planned(SEED, 50));
    expect(planned(SEED, 50)).not.toEqual(planned(SEED + 1, 50));
  });

  it('finds every acknowledged write once, and all copies equal to their owners, after faults of the seed', async () => {
    const log: string[] = [];
    const { problems, counts } = await runLedger({
      seed: SEED,
      end: { faults: FAULTS },
      writers: 4,
      print: (line) => log.push(line),
    });
    expect(problems, log.join('\n')).toEqual([]);
    expect(counts.acknowledged).toBeGreaterThan(FAULTS * 10);
  }, 400_000);
});
