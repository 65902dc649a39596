import { describe, expect, it } from 'vitest';
import { makeSearchSlots } from './search-slots.ts';

describe('search slots', () => {
  it('run 8 searches, keep 32 waiting, and refuse more', async () => {
    const slots = makeSearchSlots();
    const ends: (() => void)[] = [];
    const started = (): Promise<void> => new Promise((resolve) => ends.push(resolve));
    const searches = Array.from({ length: 40 }, async () => slots.run(started));
    expect(await slots.run(started)).toBeUndefined();
    expect(ends).toHaveLength(8);
    for (let ended = 0; ended < 40; ended += 1) {
      ends[ended]?.();
      await searches[ended];
      await Promise.resolve();
    }
    expect((await Promise.all(searches)).every((one) => one !== undefined)).toBe(true);
  });

  it('refuse a search that has waited too long, and free the slot of one that failed', async () => {
    const slots = makeSearchSlots(1);
    const fails: ((error: Error) => void)[] = [];
    const searches = Array.from({ length: 8 }, async () =>
      slots.run(async () => new Promise<never>((_resolve, reject) => fails.push(reject))),
    );
    expect(await slots.run(async () => 'late')).toBeUndefined();
    for (const fail of fails) fail(new Error('failed'));
    await Promise.allSettled(searches);
    expect(await slots.run(async () => 'next')).toEqual({ result: 'next' });
  });
});
