import { describe, expect, it } from 'vitest';
import { inParallel } from './in-parallel.ts';

const turn = async (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

describe('inParallel', () => {
  it('does every item once, at most so many at the same time', async () => {
    const done: (number | undefined)[] = [];
    let running = 0;
    let runningMax = 0;
    await inParallel([1, undefined, 3, 4, 5], 2, async (item) => {
      running += 1;
      runningMax = Math.max(runningMax, running);
      await turn();
      running -= 1;
      done.push(item);
    });
    expect([done, runningMax]).toEqual([[1, undefined, 3, 4, 5], 2]);
  });

  it('does the other items when one fails, and throws the failure', async () => {
    const done: number[] = [];
    const work = inParallel([1, 2, 3], 2, async (item) => {
      if (item === 1) throw new Error('one');
      done.push(item);
    });
    await expect(work).rejects.toThrow('one');
    expect(done).toEqual([2, 3]);
  });

  it('ends at once without items', async () => {
    await expect(inParallel([], 2, turn)).resolves.toBeUndefined();
  });
});
