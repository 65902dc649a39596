import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { PositionLostError } from './applied-position.ts';
import { makeRetryAfterCheck, type RetryAfterCheck } from './retry-after-check.ts';

const lost = new PositionLostError('test--things');
const log = pino({ level: 'silent' });

interface Course {
  /** Errors of the work, one for each run; later runs succeed. */
  readonly workFails: readonly Error[];
  /** What the checks do, one entry for each; later checks succeed. */
  readonly checks?: readonly ((retry: RetryAfterCheck) => Promise<void> | void)[];
  /** Whether the bus is connected, one entry for each look; later looks find it connected. */
  readonly connected?: readonly boolean[];
}

/** Returns what was done, and the error at the end. */
async function course({ workFails, checks = [], connected = [] }: Course): Promise<object> {
  const done: string[] = [];
  const errors = [...workFails];
  const [checksLeft, connectedLeft] = [[...checks], [...connected]];
  const retry: RetryAfterCheck = makeRetryAfterCheck({
    position: {
      async check() {
        done.push('check');
        await checksLeft.shift()?.(retry);
      },
    },
    bus: { connected: () => connectedLeft.shift() ?? true },
    log,
    pauseMs: 1,
  });
  const work = async (): Promise<void> => {
    done.push('work');
    const error = errors.shift();
    if (error !== undefined) throw error;
  };
  return retry.run(work).then(
    () => ({ done }),
    (error: unknown) => ({ done, error }),
  );
}

const fail = (error: Error) => (): void => {
  throw error;
};

describe('work that needs the position', () => {
  it('runs again after a check when the position was lost', async () => {
    expect(await course({ workFails: [lost] })).toEqual({ done: ['work', 'check', 'work'] });
  });

  it('runs no third time', async () => {
    expect(await course({ workFails: [lost, lost] })).toEqual({ done: ['work', 'check', 'work'], error: lost });
  });

  it('waits for a check that succeeds, and for the bus', async () => {
    const checks = [fail(new Error('the server does not answer'))];
    expect(await course({ workFails: [lost], checks, connected: [false, false] })).toEqual({
      done: ['work', 'check', 'check', 'work'],
    });
  });

  it('fails as the check does while the database is away', async () => {
    const away = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    expect(await course({ workFails: [lost], checks: [fail(away)] })).toEqual({ done: ['work', 'check'], error: away });
  });

  it('does not wait for a check after the stop', async () => {
    const never = async (retry: RetryAfterCheck): Promise<void> => {
      retry.stop();
      await new Promise(() => undefined);
    };
    expect(await course({ workFails: [lost], checks: [never] })).toEqual({ done: ['work', 'check'], error: lost });
  });

  it('fails with every other error at once', async () => {
    const other = new Error('refused');
    expect(await course({ workFails: [other] })).toEqual({ done: ['work'], error: other });
  });
});
