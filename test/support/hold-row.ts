import type { Stack } from '@procurement/local-stack/stack';
import { holdLock as holdLockAt, type HeldLock } from '@procurement/testing/held-lock';
import pg from 'pg';

type Service = Parameters<Stack['databaseUrl']>[0];

/** Locks the row of a tender in the table with which a service decides, as a slow decision would. */
export async function holdRow(stack: Stack, service: Service, table: string, tenderId: string): Promise<HeldLock> {
  const column = table === 'tender' ? 'id' : 'tender_id';
  return holdLock(stack, service, `SELECT FROM ${table} WHERE ${column} = $1 FOR UPDATE`, [tenderId]);
}

/** Holds what a statement locks in the database of a service. */
export async function holdLock(
  stack: Stack,
  service: Service,
  statement: string,
  values: readonly unknown[] = [],
): Promise<HeldLock> {
  return holdLockAt(stack.databaseUrl(service), statement, values);
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
