import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { waitFor } from '@procurement/testing/wait-for';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeLog } from '../runtime/log.ts';
import { makeSignal } from '../runtime/signal.ts';
import { startExclusive } from './session-lock.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await freshDatabase('register');
});

afterAll(async () => {
  await database.drop();
});

it('runs work in one of several processes, and in another one when its session ends or it stops', async () => {
  const holders = new Set<string>();
  const begun: string[] = [];
  let together = 0;
  const start = (name: string) => {
    const wake = makeSignal();
    return startExclusive({
      databaseUrl: database.url,
      name: `exclusive-${name}`,
      lockKey: '1',
      log: makeLog('test', 'silent' as 'fatal'),
      onLost: () => wake.notify(),
      work: async ({ isHeld }) => {
        holders.add(name);
        begun.push(name);
        together = Math.max(together, holders.size);
        while (isHeld()) await wake.wait(1_000);
        holders.delete(name);
      },
    });
  };
  const workers = new Map(['a', 'b'].map((name) => [name, start(name)]));
  const [first] = await waitFor(() => begun.length === 1 && begun, { what: 'the first holder' });
  const kill =
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1 AND datname = current_database()';
  await database.pool.query(kill, [`exclusive-${first}`]);
  const second = await waitFor(() => begun.length > 1 && begun.at(-1), { what: 'the next holder' });
  await workers.get(second)?.stop();
  await waitFor(() => begun.at(-1) !== second, { what: 'the holder after a stop' });
  await Promise.all([...workers.values()].map(async (worker) => worker.stop()));
  expect([together, holders.size]).toEqual([1, 0]);
});
