import { describe, expect, it, vi } from 'vitest';
import { makeFairQueue, QueueFullError, type FairQueueOptions } from './fair-queue.ts';

/** A queue whose work ends when the test says so. */
function makeQueue(options: Partial<FairQueueOptions> = {}) {
  const queue = makeFairQueue({ runningMax: 1, waitingMax: 4, waitMsMax: 60_000, ...options });
  const started: string[] = [];
  const refused: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (client: string, name: string): void => {
    const work = async (): Promise<void> => {
      started.push(name);
      return new Promise((resolve) => ends.push(resolve));
    };
    queue.run(client, work).catch((error: unknown) => {
      if (error instanceof QueueFullError) refused.push(name);
    });
  };
  const settled = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const endAll = async (): Promise<void> => {
    for (let n = 0; n < ends.length; n += 1) {
      ends[n]?.();
      await settled();
    }
  };
  return { queue, started, refused, ends, ask, settled, endAll };
}

describe('a fair queue', () => {
  it('lets clients take turns, whoever came first', async () => {
    const { ask, started, endAll } = makeQueue();
    for (const name of ['a1', 'a2', 'a3', 'b1', 'c1']) ask(name.slice(0, 1), name);
    await endAll();
    expect(started).toEqual(['a1', 'b1', 'c1', 'a2', 'a3']);
  });

  it('refuses the newest of the client that fills it, and nobody else', async () => {
    const { ask, started, refused, settled, endAll } = makeQueue();
    for (let n = 0; n < 8; n += 1) ask('flood', `flood ${n}`);
    ask('honest', 'honest 1');
    ask('other', 'other 1');
    await settled();
    expect(refused.toSorted()).toEqual(['flood 3', 'flood 4', 'flood 5', 'flood 6', 'flood 7']);
    await endAll();
    expect(started.slice(0, 3)).toEqual(['flood 0', 'honest 1', 'other 1']);
  });

  it('lets a client that always has work rest three times as long as its work took, and others begin meanwhile', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
    try {
      const { ask, started, ends, settled } = makeQueue({ runningOfClientMax: 1, clientsRest: true });
      for (const name of ['a1', 'a2', 'b1']) ask(name.slice(0, 1), name);
      await vi.advanceTimersByTimeAsync(40);
      ends[0]?.();
      await settled();
      expect(started).toEqual(['a1', 'b1']);
      ends[1]?.();
      await vi.advanceTimersByTimeAsync(119);
      expect(started).toEqual(['a1', 'b1']);
      await vi.advanceTimersByTimeAsync(1);
      expect(started).toEqual(['a1', 'b1', 'a2']);
    } finally {
      vi.useRealTimers();
    }
  });

  it('lets nobody rest for longer than a second', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
    try {
      const { ask, started, ends, settled } = makeQueue({
        runningOfClientMax: 1,
        clientsRest: true,
        waitMsMax: 60_000,
      });
      for (const name of ['a1', 'a2']) ask('a', name);
      await vi.advanceTimersByTimeAsync(3_000);
      ends[0]?.();
      await settled();
      await vi.advanceTimersByTimeAsync(999);
      expect(started).toEqual(['a1']);
      await vi.advanceTimersByTimeAsync(1);
      expect(started).toEqual(['a1', 'a2']);
    } finally {
      vi.useRealTimers();
    }
  });

  it('refuses a client when all others have no more waiting', async () => {
    const { ask, refused, settled } = makeQueue();
    for (const client of ['a', 'b', 'c', 'd', 'e', 'late']) ask(client, client);
    await settled();
    expect(refused).toEqual(['late']);
  });

  it('keeps places for others', async () => {
    const { ask, started, ends, settled } = makeQueue({ runningMax: 3, runningOfClientMax: 2 });
    for (const name of ['a1', 'a2', 'a3', 'b1']) ask(name.slice(0, 1), name);
    await settled();
    expect(started).toEqual(['a1', 'a2', 'b1']);
    ends[2]?.();
    await settled();
    expect(started).toEqual(['a1', 'a2', 'b1']);
    ends[0]?.();
    await settled();
    expect(started).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  it('refuses what has waited too long, and gives the place of failed work on', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { ask, queue, refused, ends, settled } = makeQueue({ waitMsMax: 1_000 });
      ask('a', 'a1');
      ask('b', 'b1');
      vi.advanceTimersByTime(1_000);
      await settled();
      expect(refused).toEqual(['b1']);
      ends[0]?.();
      await expect(queue.run('c', async () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
      expect(await queue.run('c', async () => 'next')).toBe('next');
    } finally {
      vi.useRealTimers();
    }
  });
});
