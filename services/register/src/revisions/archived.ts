import type pg from 'pg';

const ARCHIVED_RELEASES = `SELECT max(seq_to) AS "archivedTo" FROM export_run WHERE kind = 'releases' AND archived IS NOT NULL`;
const ARCHIVED_TO = 'SELECT archived_to AS "archivedTo" FROM follow';

/** Every revision up to it is in the archive; undefined while none is. */
export async function archivedPosition(pool: pg.Pool): Promise<bigint | undefined> {
  return archivedBy(pool, ARCHIVED_TO);
}

/** Every release up to this place is in the archive; undefined while none is. */
export async function archivedReleases(pool: pg.Pool): Promise<bigint | undefined> {
  return archivedBy(pool, ARCHIVED_RELEASES);
}

async function archivedBy(pool: pg.Pool, statement: string): Promise<bigint | undefined> {
  const { rows } = await pool.query<{ archivedTo: string | null }>(statement);
  const archivedTo = rows[0]?.archivedTo ?? null;
  return archivedTo === null ? undefined : BigInt(archivedTo);
}
