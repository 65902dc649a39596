import type { Stack } from '@procurement/local-stack/stack';
import pg from 'pg';
import { until } from './broker.ts';

type Service = Parameters<Stack['databaseUrl']>[0];

/** A lock that the test holds in a service's database: whoever needs it waits. */
export interface HeldLock {
  /** Resolves when another session waits for a lock, or when `isOver`: a decision may end before it comes to the lock. */
  someoneWaits(isOver?: () => boolean): Promise<void>;
  release(): Promise<void>;
}

/** Locks the row of a tender in the table with which a service decides, as a slow decision would. */
export async function holdRow(stack: Stack, service: Service, table: string, tenderId: string): Promise<HeldLock> {
  const column = table === 'tender' ? 'id' : 'tender_id';
  return holdLock(stack, service, `SELECT FROM ${table} WHERE ${column} = $1 FOR UPDATE`, [tenderId]);
}

/** Holds what a statement locks. */
export async function holdLock(
  stack: Stack,
  service: Service,
  statement: string,
  values: readonly unknown[] = [],
): Promise<HeldLock> {
  const client = new pg.Client({ connectionString: stack.databaseUrl(service) });
  await client.connect();
  await client.query('BEGIN');
  await client.query(statement, [...values]);
  return {
    async someoneWaits(isOver = () => false) {
      await until('a session that waits for the lock', async () => {
        if (isOver()) return true;
        const { rows } = await client.query<{ waiting: string }>(
          `SELECT count(*) AS waiting FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))`,
        );
        return Number(rows[0]?.waiting) > 0;
      });
    },
    async release() {
      await client.query('COMMIT');
      await client.end();
    },
  };
}

/** The rows of a query on the database of a service. */
export async function queryService<T extends pg.QueryResultRow>(
  stack: Stack,
  service: Service,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly T[]> {
  const client = new pg.Client({ connectionString: stack.databaseUrl(service) });
  await client.connect();
  try {
    return (await client.query<T>(text, [...values])).rows;
  } finally {
    await client.end();
  }
}
