import { once } from 'node:events';
import { makeLog } from '@procurement/kit/runtime/log';
import { makeSignal } from '@procurement/kit/runtime/signal';
import { waitFor } from '@procurement/testing/wait-for';
import { expect, it } from 'vitest';
import { fixtureNamed, buildPlan } from '../../test-support/fixtures.ts';
import type { AuctionsStore, DueRange } from '../store/auctions.store.ts';
import type { RoomClock } from '../time/room-clock.ts';
import { makeAuctionQueue } from './auction-queue.ts';
import type { Leadership } from './lead-shards.ts';
import { startTimers } from './run-timers.ts';

const { startAt } = buildPlan(fixtureNamed('01-two-bidders'));
/** More than may begin at once. */
const HELD = Array.from({ length: 10 }, (_one, n) => `held-${n}`);

it('begins the stages of other auctions while those of some are held', async () => {
  const due = new Set([...HELD, 'first']);
  const begun: string[] = [];
  const held = new AbortController();
  const signal = makeSignal();
  // Safe casts: the parts that timers use.
  const auctions = {
    due: async ({ except }: DueRange, _now: unknown, max: number) =>
      [...due]
        .filter((id) => !except.includes(id))
        .slice(0, max)
        .map((auctionId) => ({ auctionId, shard: 0 })),
    nextDue: async () => undefined,
    run: async ({ auctionId }: { readonly auctionId: string }) => {
      begun.push(auctionId);
      if (HELD.includes(auctionId)) await once(held.signal, 'abort');
      due.delete(auctionId);
      return undefined;
    },
  } as unknown as AuctionsStore;
  const timers = startTimers({
    auctions,
    queue: makeAuctionQueue(),
    leadership: { shards: () => [0], lease: () => ({ shard: 0, epoch: 1 }) } as unknown as Leadership,
    clock: { now: () => startAt } as RoomClock,
    signal,
    isReady: () => true,
    log: makeLog('test', 'fatal'),
  });
  await waitFor(() => begun.includes('first'), { what: 'a stage of the same round' });
  due.add('next');
  signal.notify();
  await waitFor(() => begun.includes('next'), { what: 'a stage of the next round' });
  expect(HELD.every((id) => due.has(id))).toBe(true);
  held.abort();
  await timers.stop();
  // Each was begun once, though it was due in several rounds.
  expect(begun.toSorted()).toEqual([...HELD, 'first', 'next'].toSorted());
});
