import { expect, it } from 'vitest';
import { faults } from './faults.ts';
import { runLedger } from './run.ts';

const SEED = 1;
/** Every wait of a run has a limit of its own; their sum is below this. */
const RUN_MS_MAX = 1_200_000;

it(
  'loses and doubles nothing, and leaves nothing stuck, when every kind of fault comes once',
  async () => {
    const lines: string[] = [];
    const { problems, ...report } = await runLedger({ seed: SEED, writers: 4, print: (line) => lines.push(line) });
    expect(problems, lines.join('\n')).toEqual([]);
    expect(new Set(report.faults.map(({ kind }) => kind))).toEqual(new Set(Object.keys(faults)));
    expect(report.contracts).toBeGreaterThan(0);
    expect(report.counts.acknowledged).toBeGreaterThan(10 * report.faults.length);
  },
  RUN_MS_MAX,
);
