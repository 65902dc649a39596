import type { Stack } from '@procurement/local-stack/stack';
import { until } from '../support/broker.ts';
import { createDueTenders, countTransitions } from '../support/due-tenders.ts';
import type { BenchmarkRow } from './row.ts';

const TENDER_COUNT = 10_000;
const LEAD_MS = 12_000;
const MINUTE_MS = 60_000;

/** 10,000 tenders due at one instant, with two replicas of tenders (architecture.md, Quality bars). */
export async function clockRows(stack: Stack): Promise<BenchmarkRow[]> {
  const at = new Date(Date.now() + LEAD_MS);
  const held = await createDueTenders(stack, TENDER_COUNT, at);
  await held.release();
  const second = await stack.addReplica('tenders');
  const end = await until(
    'the transition of all tenders',
    async () => {
      const counts = await countTransitions(stack);
      return counts.transitioned >= TENDER_COUNT && { ...counts, atMs: Date.now() };
    },
    LEAD_MS + 3 * MINUTE_MS,
  );
  await second.stop();
  // The time at which polling saw it; the transition itself was earlier.
  const latestMs = end.atMs - at.getTime();
  const figures = `${TENDER_COUNT} tenders, the last ${(latestMs / 1_000).toFixed(1)} s late`;
  return [
    {
      what: 'transition of 10,000 tenders due at once, two schedulers, in minutes',
      ratio: latestMs / MINUTE_MS,
      atMost: 1,
      figures,
    },
    { what: 'transitions of one tender', ratio: end.timesMax, atMost: 1, figures: 'maximum' },
  ];
}
