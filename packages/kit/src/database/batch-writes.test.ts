import { describe, expect, it } from 'vitest';
import { batchWrites } from './batch-writes.ts';

/** Work that finishes on `finish()`, and records its batches. */
function makeHeldWork() {
  const batches: (readonly number[])[] = [];
  const finishers: (() => void)[] = [];
  const work = async (items: readonly number[]): Promise<readonly number[]> => {
    batches.push(items);
    await new Promise<void>((resolve) => finishers.push(resolve));
    return items.map((item) => item * 10);
  };
  return { batches, work, finish: () => finishers.shift()?.() };
}

const nextTurn = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('batchWrites', () => {
  it('batches the calls of one turn, then those that arrived meanwhile, and returns each its own result', async () => {
    const { batches, work, finish } = makeHeldWork();
    const write = batchWrites(work);
    const first = [write(1), write(2)];
    await nextTurn();
    const second = [write(3), write(4), write(5)];
    await nextTurn();
    expect(batches).toEqual([[1, 2]]);
    finish();
    expect(await Promise.all(first)).toEqual([10, 20]);
    await nextTurn();
    expect(batches).toEqual([
      [1, 2],
      [3, 4, 5],
    ]);
    finish();
    expect(await Promise.all(second)).toEqual([30, 40, 50]);
  });

  it('keeps batches within the limit and runs every item', async () => {
    const sizes: number[] = [];
    const write = batchWrites(async (items: readonly number[]) => {
      sizes.push(items.length);
      return items;
    }, 2);
    expect(await Promise.all([1, 2, 3, 4, 5].map(write))).toEqual([1, 2, 3, 4, 5]);
    expect(sizes).toEqual([2, 2, 1]);
  });

  it('rejects every call of a failed batch and no other', async () => {
    const write = batchWrites(async (items: readonly number[]) => {
      if (items.includes(2)) throw new Error('no');
      return items;
    });
    const failed = await Promise.allSettled([write(1), write(2)]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await write(3)).toBe(3);
  });

  it('rejects when `work` throws synchronously', async () => {
    const write = batchWrites((items: readonly number[]): Promise<readonly number[]> => {
      if (items.length > 0) throw new Error('at once');
      return Promise.resolve(items);
    });
    await expect(write(1)).rejects.toThrow('at once');
    await expect(write(2)).rejects.toThrow('at once');
  });
});
