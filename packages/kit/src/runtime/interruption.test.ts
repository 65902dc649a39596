import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { waitFor } from '@procurement/testing/wait-for';
import { describe, expect, it } from 'vitest';
import { makeInterruption } from './interruption.ts';

const never = async (): Promise<string> => new Promise(() => undefined);

describe('makeInterruption', () => {
  it('answers what is waited for, and throws what it throws', async () => {
    const { unlessInterrupted } = makeInterruption();
    await expect(unlessInterrupted(Promise.resolve('answer'))).resolves.toBe('answer');
    await expect(unlessInterrupted(Promise.reject(new Error('no answer')))).rejects.toThrow('no answer');
  });

  it('ends all that is waited for, now and later', async () => {
    const { interrupt, unlessInterrupted } = makeInterruption();
    const waiting = [unlessInterrupted(never()), unlessInterrupted(never())];
    interrupt();
    await expect(Promise.all([...waiting, unlessInterrupted(never())])).resolves.toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('keeps no answer in memory', async () => {
    setFlagsFromString('--expose-gc');
    // Safe cast: the flag defines it in new contexts.
    const collectGarbage = runInNewContext('gc') as () => void;
    const interruption = makeInterruption();
    const answers: WeakRef<object>[] = [];
    const ask = async (): Promise<void> => {
      const answer = { text: 'of a page' };
      answers.push(new WeakRef(answer));
      await interruption.unlessInterrupted(Promise.resolve(answer));
    };
    for (let n = 0; n < 3; n += 1) await ask();
    const areGone = (): boolean => {
      collectGarbage();
      return answers.every((answer) => answer.deref() === undefined);
    };
    await expect(waitFor(areGone, { what: 'answers out of memory', timeoutMs: 2_000 })).resolves.toBe(true);
    interruption.interrupt();
  });
});
