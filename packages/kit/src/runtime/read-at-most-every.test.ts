import { describe, expect, it } from 'vitest';
import { readAtMostEvery } from './read-at-most-every.ts';

describe('readAtMostEvery', () => {
  it('shares a read, also its error, with all who ask until it is too old', async () => {
    let now = 0;
    let reads = 0;
    const answers: (() => Promise<string>)[] = [
      async () => 'first',
      async () => {
        throw new Error('away');
      },
      async () => 'third',
    ];
    const read = readAtMostEvery(
      500,
      async () => {
        reads += 1;
        return answers[reads - 1]?.() ?? 'more';
      },
      () => now,
    );
    expect(reads).toBe(0);
    expect(await Promise.all([read(), read()])).toEqual(['first', 'first']);
    now = 499;
    expect(await read()).toBe('first');
    now = 500;
    await expect(read()).rejects.toThrow('away');
    await expect(read()).rejects.toThrow('away');
    now = 1_000;
    expect(await read()).toBe('third');
    expect(reads).toBe(3);
  });

  it('does not wait for a read that is too old', async () => {
    let now = 0;
    let end = (_answer: string): void => undefined;
    const reads = [new Promise<string>((resolve) => (end = resolve)), Promise.resolve('new')];
    const read = readAtMostEvery(
      500,
      async () => reads.shift() ?? 'more',
      () => now,
    );
    const waiting = read();
    now = 500;
    expect(await read()).toBe('new');
    end('old');
    expect(await waiting).toBe('old');
  });
});
