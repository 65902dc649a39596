import { threadId } from 'node:worker_threads';
import { afterAll, describe, expect, it } from 'vitest';
import { makeWorkerPool } from './worker-pool.ts';

interface Doubled {
  readonly double: number;
  readonly threadId: number;
}

const script = new URL('../../test-support/counting-worker.ts', import.meta.url);
const pool = makeWorkerPool<number | 'throw' | 'exit', Doubled>({ script, waitingMax: 10, waitMsMax: 60_000 });
const run = async (job: number | 'throw' | 'exit') => pool.run('client', async (doJob) => doJob(job));

afterAll(async () => pool.stop());

describe('a worker pool', () => {
  it('does jobs in another thread', async () => {
    const done = await Promise.all([1, 2, 3].map(run));
    expect(done.map(({ double }) => double)).toEqual([2, 4, 6]);
    expect(done.every((one) => one.threadId !== threadId)).toBe(true);
  });

  it('fails a job that throws or ends its thread, and goes on with the next one', async () => {
    await expect(run('throw')).rejects.toThrow('thrown in a thread');
    await expect(run('exit')).rejects.toThrow('a thread has ended');
    expect(await run(4)).toMatchObject({ double: 8 });
  });

  it('ends threads that nobody uses, and starts others when they are needed', async () => {
    const before = await run(1);
    await pool.stop();
    expect((await run(1)).threadId).not.toBe(before.threadId);
  });
});
