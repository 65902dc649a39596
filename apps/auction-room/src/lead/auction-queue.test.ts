import { once } from 'node:events';
import { expect, it } from 'vitest';
import { makeAuctionQueue, type Lane } from './auction-queue.ts';

function recorder() {
  const queue = makeAuctionQueue();
  const done: string[] = [];
  const run = async (lane: Lane, name: string, auctionId = 'a', work = Promise.resolve()): Promise<void> =>
    queue.run(auctionId, lane, async () => {
      await work;
      done.push(name);
    });
  return { run, done };
}

it('runs stages and offers of an auction before what else waits, each in its order', async () => {
  const { run, done } = recorder();
  await Promise.all([
    run('rest', 'under way'),
    run('rest', 'login'),
    run('first', 'offer'),
    run('rest', 'cancel'),
    run('first', 'tick'),
  ]);
  expect(done).toEqual(['under way', 'offer', 'tick', 'login', 'cancel']);
});

it('runs other auctions meanwhile, and the next work after one that failed', async () => {
  const { run, done } = recorder();
  const held = new AbortController();
  const failing = once(held.signal, 'abort').then(() => {
    throw new Error('failed');
  });
  const waiting = [run('first', 'held', 'a', failing), run('first', 'after it', 'a')];
  await run('rest', 'other', 'b');
  expect(done).toEqual(['other']);
  held.abort();
  await Promise.allSettled(waiting);
  expect(done).toEqual(['other', 'after it']);
});
