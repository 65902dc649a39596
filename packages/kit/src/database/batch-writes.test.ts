import { describe, expect, it } from 'vitest';
import { batchWrites } from './batch-writes.ts';

/** Work that ends when it is told to, and remembers what it was given. */
function makeHeldWork() {
  const groups: (readonly number[])[] = [];
  const finishers: (() => void)[] = [];
  const work = async (items: readonly number[]): Promise<readonly number[]> => {
    groups.push(items);
    await new Promise<void>((resolve) => finishers.push(resolve));
    return items.map((item) => item * 10);
  };
  return { groups, work, finish: () => finishers.shift()?.() };
}

const nextTurn = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('grouped', () => {
  it('makes one group of what comes together, the next of what comes meanwhile, and answers each its own', async () => {
    const { groups, work, finish } = makeHeldWork();
    const write = batchWrites(work);
    const first = [write(1), write(2)];
    await nextTurn();
    const second = [write(3), write(4), write(5)];
    await nextTurn();
    expect(groups).toEqual([[1, 2]]);
    finish();
    expect(await Promise.all(first)).toEqual([10, 20]);
    await nextTurn();
    expect(groups).toEqual([
      [1, 2],
      [3, 4, 5],
    ]);
    finish();
    expect(await Promise.all(second)).toEqual([30, 40, 50]);
  });

  it('keeps groups bounded, and leaves nobody behind', async () => {
    const sizes: number[] = [];
    const write = batchWrites(async (items: readonly number[]) => {
      sizes.push(items.length);
      return items;
    }, 2);
    expect(await Promise.all([1, 2, 3, 4, 5].map(write))).toEqual([1, 2, 3, 4, 5]);
    expect(sizes).toEqual([2, 2, 1]);
  });

  it('tells a failure to the whole group and to nobody else', async () => {
    const write = batchWrites(async (items: readonly number[]) => {
      if (items.includes(2)) throw new Error('no');
      return items;
    });
    const failed = await Promise.allSettled([write(1), write(2)]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await write(3)).toBe(3);
  });

  it('works synchronous throws of the work into the same answer', async () => {
    const write = batchWrites((items: readonly number[]): Promise<readonly number[]> => {
      if (items.length > 0) throw new Error('at once');
      return Promise.resolve(items);
    });
    await expect(write(1)).rejects.toThrow('at once');
    await expect(write(2)).rejects.toThrow('at once');
  });
});
