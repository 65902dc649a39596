import type { Stack } from '@procurement/local-stack/stack';
import { until } from '../support/broker.ts';
import { createDueTenders, countTransitions } from '../support/due-tenders.ts';
import type { BenchmarkRow } from './row.ts';

const TENDER_COUNT = 10_000;
const LEAD_MS = 12_000;
const MINUTE_MS = 60_000;

/** Ten thousand tenders due at one moment, with two replicas of tenders sharing the work (architecture.md, Quality bars). */
export async function clockRows(stack: Stack): Promise<BenchmarkRow[]> {
  const at = new Date(Date.now() + LEAD_MS);
  await createDueTenders(stack, TENDER_COUNT, at);
  const second = await stack.addReplica('tenders');
  const end = await until(
    'all tenders to have moved',
    async () => {
      const moves = await countTransitions(stack);
      return moves.transitioned >= TENDER_COUNT && { ...moves, atMs: Date.now() };
    },
    LEAD_MS + 3 * MINUTE_MS,
  );
  await second.stop();
  // Seen by somebody who looks, which is later than it was done.
  const latestMs = end.atMs - at.getTime();
  const figures = `${TENDER_COUNT} tenders, the last ${(latestMs / 1_000).toFixed(1)} s late`;
  return [
    {
      what: 'transition of 10,000 tenders due at once, two schedulers, share of a minute',
      ratio: latestMs / MINUTE_MS,
      atMost: 1,
      figures,
    },
    { what: 'times that one tender was moved', ratio: end.timesMax, atMost: 1, figures: 'the most of any' },
  ];
}
