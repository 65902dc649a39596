import type pg from 'pg';

/** Returns the column `key` of the rows that a statement selects. */
export async function readKeys(
  db: Pick<pg.Pool, 'query'>,
  sql: string,
  values: readonly unknown[],
): Promise<readonly string[]> {
  return (await db.query<{ key: string }>(sql, [...values])).rows.map(({ key }) => key);
}
