import { addMicros, type Instant } from '@procurement/contracts/reading/instant';
import { waitFor } from '@procurement/testing/wait-for';
import { expect, it, vi } from 'vitest';
import { systemClock } from './clock.ts';
import { makeLog } from './log.ts';
import { makeMetrics } from './metrics.ts';
import { startScheduler } from './scheduler.ts';

it('issue 15 R18: a deadline that is announced while the next one is read is not slept over', async () => {
  let rounds = 0;
  const reads: ((next: Instant | undefined) => void)[] = [];
  const scheduler = startScheduler({
    runDue: async () => {
      rounds += 1;
      return { processed: 0, latenessMaxMicros: 0 };
    },
    nextDue: async () => new Promise((resolve) => reads.push(resolve)),
    clock: systemClock,
    log: makeLog('test', 'silent'),
    metrics: makeMetrics('test'),
  });
  await waitFor(() => reads.length === 1, { what: 'the first read' });
  // Known until now: a deadline in the past.
  reads[0]?.(systemClock.now());
  await waitFor(() => reads.length === 2, { what: 'the second read' });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  scheduler.wake(addMicros(systemClock.now(), 1_000));
  const before = rounds;
  reads[1]?.(undefined);
  // Shorter than the sleep of a second without a deadline.
  await vi.advanceTimersByTimeAsync(900);
  vi.useRealTimers();
  expect(rounds).toBeGreaterThan(before);
  const stopping = scheduler.stop();
  for (const resolve of reads) resolve(undefined);
  await stopping;
});
