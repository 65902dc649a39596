import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makePool } from './pool.ts';
import {
  ConflictError,
  decideWithoutLock,
  isDatabaseUnavailable,
  OutcomeUnknownError,
  transact,
} from './transaction.ts';
import { makeLog } from '../runtime/log.ts';

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await freshDatabase('awards');
  pool = makePool({ url: database.url, name: 'test', connectionsMax: 4, log: makeLog('test', 'silent' as 'fatal') });
  await pool.query('CREATE TABLE counter (id int PRIMARY KEY, value int)');
  await pool.query('INSERT INTO counter SELECT n, 0 FROM generate_series(1, 3) AS n');
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

const counterValue = async (id: number): Promise<number> =>
  (await pool.query('SELECT value FROM counter WHERE id = $1', [id])).rows[0].value;

describe('decideWithoutLock', () => {
  const lose = `DO $$ BEGIN RAISE EXCEPTION 'lost' USING ERRCODE = 'serialization_failure'; END $$`;

  it('repeats what has lost, and answers undefined when every attempt lost', async () => {
    let runs = 0;
    const work = async (lossesMax: number): Promise<number> => {
      if ((runs += 1) <= lossesMax) await pool.query(lose);
      return runs;
    };
    expect(await decideWithoutLock(3, async () => work(2))).toBe(3);
    runs = 0;
    expect([await decideWithoutLock(3, async () => work(9)), runs]).toEqual([undefined, 3]);
  });

  it('throws every other error at once, and ConflictError when a lock was not granted', async () => {
    await expect(decideWithoutLock(3, async () => pool.query('SELECT 1 / 0'))).rejects.toThrow('division by zero');
    const notGranted = `DO $$ BEGIN RAISE EXCEPTION 'held' USING ERRCODE = 'lock_not_available'; END $$`;
    await expect(decideWithoutLock(3, async () => pool.query(notGranted))).rejects.toThrow(ConflictError);
  });
});

describe('transact', () => {
  it('retries a serialization failure, three attempts in all, then throws ConflictError', async () => {
    let runs = 0;
    const lose = `DO $$ BEGIN RAISE EXCEPTION 'lost' USING ERRCODE = 'serialization_failure'; END $$`;
    await transact(pool, async (tx) => {
      await tx.query('UPDATE counter SET value = value + 1 WHERE id = 1');
      if ((runs += 1) < 3) await tx.query(lose);
    });
    expect([runs, await counterValue(1)]).toEqual([3, 1]);
    const losing = transact(pool, async (tx) => {
      runs += 1;
      await tx.query(lose);
    });
    await expect(losing).rejects.toThrow(ConflictError);
    expect(runs).toBe(6);
  });

  it('does not retry other errors, and rolls back', async () => {
    let runs = 0;
    const failing = transact(pool, async (tx) => {
      runs += 1;
      await tx.query('UPDATE counter SET value = 7 WHERE id = 2');
      await tx.query('SELECT 1 / 0');
    });
    await expect(failing).rejects.toThrow('division by zero');
    expect([runs, await counterValue(2)]).toEqual([1, 0]);
  });

  it('waits at most two seconds for a lock', async () => {
    const holder = await database.pool.connect();
    await holder.query('BEGIN; UPDATE counter SET value = 1 WHERE id = 3');
    const waiting = transact(pool, async (tx) => tx.query('UPDATE counter SET value = 2 WHERE id = 3'));
    await expect(waiting).rejects.toThrow(ConflictError);
    await holder.query('ROLLBACK');
    holder.release();
  });

  it('throws OutcomeUnknownError when the connection is lost during COMMIT, and the pool still works', async () => {
    await pool.query(`
      CREATE TABLE deadly (id int);
      CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;
      CREATE CONSTRAINT TRIGGER die AFTER INSERT ON deadly DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION die();`);
    const dying = transact(pool, async (tx) => tx.query('INSERT INTO deadly VALUES (1)'));
    await expect(dying).rejects.toThrow(OutcomeUnknownError);
    expect((await pool.query('SELECT FROM deadly')).rowCount).toBe(0);
  });

  it('reports a refused commit by its own error', async () => {
    await pool.query('CREATE TABLE late (id int UNIQUE DEFERRABLE INITIALLY DEFERRED)');
    const refused = transact(pool, async (tx) => tx.query('INSERT INTO late VALUES (1), (1)'));
    await expect(refused).rejects.toThrow('duplicate key');
  });
});

describe('isDatabaseUnavailable', () => {
  const connectError = async (url: string): Promise<unknown> => {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 300 });
    try {
      await client.connect();
      return undefined;
    } catch (error) {
      return error;
    } finally {
      await client.end().catch(() => undefined);
    }
  };

  it('distinguishes an unreachable or refusing database from a wrong statement', async () => {
    const changed = (change: (url: URL) => void): string => {
      const url = new URL(database.url);
      change(url);
      return url.href;
    };
    const unavailable = [
      changed((url) => (url.port = '1')),
      changed((url) => (url.hostname = 'no-such-host.invalid')),
      changed((url) => (url.pathname = '/no_such_database')),
      changed((url) => (url.username = 'no_such_role')),
    ];
    for (const url of unavailable) expect(isDatabaseUnavailable(await connectError(url)), url).toBe(true);
    const wrong: unknown = await pool.query('SELECT nonsense').catch((error: unknown) => error);
    expect(isDatabaseUnavailable(wrong)).toBe(false);
    const readOnly = transact(pool, async (tx) => {
      await tx.query('SET TRANSACTION READ ONLY');
      await tx.query('DELETE FROM counter');
    });
    expect(isDatabaseUnavailable(await readOnly.catch((error: unknown) => error))).toBe(true);
  });
});
