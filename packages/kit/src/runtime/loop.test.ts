import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeLog } from './log.ts';
import { startLoop, type AfterRound, type Loop, type LoopOptions } from './loop.ts';
import { makeSignal } from './signal.ts';

const log = makeLog('test', 'silent');
let loop: Loop;
let rounds = 0;

beforeEach(() => {
  vi.useFakeTimers();
  rounds = 0;
});
afterEach(async () => {
  await loop.stop();
  vi.useRealTimers();
});

/** Starts a loop and waits until its first round has ended. */
async function started(
  round: () => AfterRound | Promise<AfterRound>,
  options: Partial<LoopOptions> = {},
): Promise<void> {
  loop = startLoop(
    async () => {
      rounds += 1;
      return round();
    },
    { pauseMs: 1_000, log, failure: 'round failed', ...options },
  );
  await vi.advanceTimersByTimeAsync(0);
}

/** The number of rounds that have begun after `ms` more milliseconds. */
async function roundsAfter(ms: number): Promise<number> {
  await vi.advanceTimersByTimeAsync(ms);
  return rounds;
}

const failing = (): never => {
  throw new Error('refused');
};

describe('the pause', () => {
  it('is the usual one when a round returns nothing, and `wake` ends it', async () => {
    await started(() => undefined);
    expect([await roundsAfter(999), await roundsAfter(1)]).toEqual([1, 2]);
    loop.wake();
    expect([await roundsAfter(0), await roundsAfter(999), await roundsAfter(1)]).toEqual([3, 3, 4]);
  });

  it('is what a round returns, and none when there is more to do', async () => {
    await started(() => (rounds < 3 ? 'more' : { pauseMs: 50 }));
    expect([rounds, await roundsAfter(49), await roundsAfter(1)]).toEqual([3, 3, 4]);
  });

  it('is left out after a `wake` during the round, once', async () => {
    await started(() => {
      if (rounds === 1) loop.wake();
    });
    expect([rounds, await roundsAfter(999), await roundsAfter(1)]).toEqual([2, 2, 3]);
  });

  it('comes before the first round where this is asked for', async () => {
    await started(() => undefined, { firstMs: 10 });
    expect([rounds, await roundsAfter(10)]).toEqual([0, 1]);
  });

  it('ends by the signal of the caller too, also by one from before the start', async () => {
    const signal = makeSignal();
    signal.notify();
    await started(() => undefined, { signal });
    expect(rounds).toBe(2);
    signal.notify();
    expect(await roundsAfter(0)).toBe(3);
  });
});

describe('a round that fails', () => {
  it('is logged and followed by a pause of its own', async () => {
    const error = vi.spyOn(log, 'error');
    await started(failing, { failedMs: 100, level: 'error' });
    expect([await roundsAfter(99), await roundsAfter(1)]).toEqual([1, 2]);
    expect(error.mock.lastCall).toMatchObject([{ err: { message: 'refused' } }, 'round failed']);
  });

  it('is followed by the usual pause otherwise, and `wake` ends it', async () => {
    await started(failing);
    expect(await roundsAfter(999)).toBe(1);
    loop.wake();
    expect(await roundsAfter(0)).toBe(2);
  });
});

describe('the spacing', () => {
  it('is kept between rounds however often the loop is woken', async () => {
    await started(() => undefined, { spacingMs: 100 });
    loop.wake();
    expect([await roundsAfter(99), await roundsAfter(1)]).toEqual([1, 2]);
  });

  it('is kept after a failure, and not while there is more to do', async () => {
    await started(() => (rounds < 3 ? 'more' : failing()), { spacingMs: 100 });
    loop.wake();
    expect([rounds, await roundsAfter(99), await roundsAfter(1)]).toEqual([3, 3, 4]);
  });
});

describe('stop', () => {
  it.each([
    ['a pause', {}],
    ['the time before the first round', { firstMs: 1_000 }],
    ['the spacing', { spacingMs: 1_000, signal: makeSignal() }],
  ] as const)('ends %s', async (_title, options) => {
    await started(() => undefined, options);
    if ('signal' in options) options.signal.notify();
    await vi.advanceTimersByTimeAsync(0);
    const before = rounds;
    await loop.stop();
    expect([rounds, await roundsAfter(5_000)]).toEqual([before, before]);
  });

  it('waits for the round that runs, which can find out that it should end', async () => {
    let finish = (): void => undefined;
    let isStopping = (): boolean => false;
    loop = startLoop(
      async (stopping) => {
        rounds += 1;
        isStopping = () => stopping.aborted;
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        return 'more';
      },
      { pauseMs: 1_000, log, failure: 'round failed' },
    );
    await vi.advanceTimersByTimeAsync(0);
    const before = isStopping();
    let isStopped = false;
    const stopped = loop.stop().then(() => {
      isStopped = true;
    });
    await vi.advanceTimersByTimeAsync(0);
    expect([before, isStopping(), isStopped]).toEqual([false, true, false]);
    finish();
    await stopped;
    expect(await roundsAfter(5_000)).toBe(1);
  });

  it('needs no waiting after a round that was the last one', async () => {
    await started(() => 'end');
    loop.wake();
    expect(await roundsAfter(5_000)).toBe(1);
    await loop.stop();
  });
});
