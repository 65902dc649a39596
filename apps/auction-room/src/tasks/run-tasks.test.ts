import { makeLog } from '@procurement/kit/runtime/log';
import { makeSignal } from '@procurement/kit/runtime/signal';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fixtureNamed, buildPlan, plannedAt } from '../../test-support/fixtures.ts';
import { evolve } from '../domain/auction.evolve.ts';
import type { DueTask } from '../store/tasks.store.ts';
import { startTasks } from './run-tasks.ts';

const fixture = fixtureNamed('01-two-bidders');
const auction = evolve(undefined, { type: 'AuctionPlanned', at: plannedAt(fixture), plan: buildPlan(fixture) });
const task: DueTask = { auctionId: auction.plan.id, kind: 'check', shard: 1, attempts: 0 };

const unused = async (): Promise<never> => {
  throw new Error('no request is sent');
};

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('does not repeat a task that ends while the due ones are read', async () => {
  const dueReads: ((rows: readonly DueTask[]) => void)[] = [];
  const auctionReads: (() => void)[] = [];
  const done: string[] = [];
  const signal = makeSignal();
  const tasks = startTasks({
    room: {
      clock: { now: () => plannedAt(fixture) },
      auctions: {
        async read() {
          await new Promise<void>((resolve) => auctionReads.push(resolve));
          return { auction, aheadMicros: 0 };
        },
      },
      leadership: { shards: () => [1], lease: (shard) => ({ shard, epoch: 1 }), lost: () => undefined },
      isReady: () => true,
      run: async () => undefined,
    },
    tasks: {
      due: async () => new Promise((resolve) => dueReads.push(resolve)),
      nextDue: async () => undefined,
      record: async ({ task: { kind } }) => void done.push(kind),
    },
    service: { send: unused, upload: unused },
    publicUrl: 'https://room.example.org',
    keys: [],
    requestReading: async () => undefined,
    signal,
    random: () => 0.5,
    log: makeLog('test', 'silent'),
  });
  await vi.advanceTimersByTimeAsync(0);
  dueReads[0]?.([task]);
  await vi.advanceTimersByTimeAsync(0);
  signal.notify();
  await vi.advanceTimersByTimeAsync(0);
  expect([dueReads.length, auctionReads.length]).toEqual([2, 1]);
  // The task ends, and then the row comes that the second query read before its end.
  auctionReads[0]?.();
  await vi.advanceTimersByTimeAsync(0);
  expect(done).toEqual(['check']);
  dueReads[1]?.([task]);
  await vi.advanceTimersByTimeAsync(0);
  expect([dueReads.length, auctionReads.length]).toEqual([3, 1]);
  // The row of a later query is due again.
  dueReads[2]?.([task]);
  await vi.advanceTimersByTimeAsync(0);
  expect(auctionReads).toHaveLength(2);
  const stopped = tasks.stop();
  await vi.advanceTimersByTimeAsync(0);
  for (const answer of dueReads) answer([]);
  await stopped;
});
