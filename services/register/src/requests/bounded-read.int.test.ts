import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { boundedRead } from './bounded-read.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await freshDatabase('register');
});

afterAll(async () => database.drop());

it('fails when its connection is lost between two statements, and the process goes on', async () => {
  const { pool } = database;
  const reading = boundedRead(pool, '', async (run, client) => {
    const [session] = await run<{ pid: number }>({ text: 'SELECT pg_backend_pid() AS pid', values: [] });
    // Not `once` of node:events, which listens for errors too.
    const lost = new Promise<void>((resolve) => client.once('end', resolve));
    await pool.query('SELECT pg_terminate_backend($1)', [session?.pid]);
    await lost;
    return run({ text: 'SELECT 1', values: [] });
  });
  await expect(reading).rejects.toThrow(/connection|terminat/i);
  expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});
