import type pg from 'pg';

/** Runs a statement that selects `key`. */
export async function readKeys(
  db: Pick<pg.Pool, 'query'>,
  sql: string,
  values: readonly unknown[],
): Promise<readonly string[]> {
  return (await db.query<{ key: string }>(sql, [...values])).rows.map(({ key }) => key);
}
