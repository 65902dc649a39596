import pg from 'pg';
import { waitFor } from './wait-for.ts';

/** A lock that a test holds: whoever needs it waits. Its session has no limits of time, unlike those of a service's pool. */
export interface HeldLock {
  /** Resolves when another session waits for a lock, or when `isOver`: a decision may end before it comes to the lock. */
  someoneWaits(isOver?: () => boolean): Promise<void>;
  release(): Promise<void>;
}

/** Holds what a statement locks in the database at `url`. */
export async function holdLock(url: string, statement: string, values: readonly unknown[] = []): Promise<HeldLock> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('BEGIN');
  await client.query(statement, [...values]);
  const isWaiting = async (): Promise<boolean> => {
    const { rows } = await client.query<{ waiting: string }>(
      `SELECT count(*) AS waiting FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))`,
    );
    return Number(rows[0]?.waiting) > 0;
  };
  return {
    async someoneWaits(isOver = () => false) {
      await waitFor(async () => isOver() || isWaiting(), { what: 'a session that waits for the lock' });
    },
    async release() {
      await client.query('COMMIT');
      await client.end();
    },
  };
}
