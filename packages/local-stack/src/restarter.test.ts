import { describe, expect, it, vi } from 'vitest';
import type { Part } from './part.ts';
import { makeRestarter } from './restarter.ts';

/** A part without a process. `ready` and `fail` end the start that is under way; `kill` makes it fail. */
function fakePart() {
  const calls: string[] = [];
  let ready = (): void => undefined;
  let fail = (_reason: string): void => undefined;
  const part: Part = {
    name: 'bids',
    pid: () => 1,
    isRunning: () => true,
    start: async () => {
      calls.push('start');
      await new Promise<void>((resolve, reject) => {
        ready = resolve;
        fail = (reason) => reject(new Error(reason));
      });
    },
    stop: async () => void calls.push('stop'),
    kill: async (signal) => {
      calls.push(signal);
      fail('killed');
    },
    onUnexpectedExit: () => undefined,
  };
  const started = async (times: number): Promise<void> => {
    await expect.poll(() => calls.filter((call) => call === 'start')).toHaveLength(times);
  };
  return { part, calls, started, ready: () => ready(), fail: (reason: string) => fail(reason) };
}

describe('makeRestarter', () => {
  it('stops, starts, and answers how long it took', async () => {
    const { part, calls, started, ready } = fakePart();
    const restart = makeRestarter(part, () => undefined).restart();
    await started(1);
    ready();
    expect(await restart).toBeGreaterThanOrEqual(0);
    expect(calls).toEqual(['stop', 'start']);
  });

  it('reports a failed start and starts again at the next change', async () => {
    const { part, started, ready, fail } = fakePart();
    const onFailed = vi.fn<(error: unknown) => void>();
    const restarter = makeRestarter(part, onFailed);
    const failed = restarter.restart();
    await started(1);
    fail('syntax error');
    expect(await failed).toBeUndefined();
    expect(onFailed).toHaveBeenCalledExactlyOnceWith(new Error('syntax error'));
    const restarted = restarter.restart();
    await started(2);
    ready();
    expect(await restarted).toBeDefined();
  });

  it('kills a start whose sources changed again, without a report, and skips restarts that a later one replaces', async () => {
    const { part, calls, started, ready } = fakePart();
    const onFailed = vi.fn<(error: unknown) => void>();
    const restarter = makeRestarter(part, onFailed);
    const restarts = [restarter.restart()];
    await started(1);
    restarts.push(restarter.restart(), restarter.restart());
    await started(2);
    ready();
    expect(await Promise.all(restarts)).toEqual([undefined, undefined, expect.any(Number)]);
    expect(calls.filter((call) => call === 'start')).toHaveLength(2);
    expect(onFailed).not.toHaveBeenCalled();
  });

  it('starts nothing between suspend and resume', async () => {
    const { part, calls, started, ready } = fakePart();
    const restarter = makeRestarter(part, () => undefined);
    await restarter.suspend();
    expect(await restarter.restart()).toBeUndefined();
    expect(calls).toEqual(['stop']);
    const resumed = restarter.resume();
    await started(1);
    ready();
    expect(await resumed).toBeDefined();
  });
});
