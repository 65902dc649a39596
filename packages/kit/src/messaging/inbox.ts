import type pg from 'pg';

const CLAIM_SQL = `INSERT INTO inbox (durable, event_id) SELECT $1, unnest($2::uuid[]) ON CONFLICT DO NOTHING
  RETURNING event_id AS id`;
// A week of 1,000 events a second is deleted faster than it is written: about 100,000 rows a second.
const PURGE_BATCH_ROWS = 5_000;
const PURGE_ROUNDS_MAX = 500;
const PURGE_SQL = `DELETE FROM inbox WHERE ctid IN
  (SELECT ctid FROM inbox WHERE received_at < now() - interval '7 days' LIMIT ${PURGE_BATCH_ROWS})`;

/**
 * Marks events as applied by this durable, in the transaction of their effect, and gives those that were not before. Twice
 * delivered is once applied. In the order of the ids, so that two processes with the same events cannot deadlock.
 */
export async function claimEvents(
  tx: pg.PoolClient,
  durable: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await tx.query<{ id: string }>({
    name: 'inbox-claim',
    text: CLAIM_SQL,
    values: [durable, [...ids].sort()],
  });
  return new Set(rows.map((row) => row.id));
}

/** Forgets events of more than a week ago: longer than anything is redelivered. */
export async function purgeInbox(pool: pg.Pool): Promise<void> {
  for (let round = 0; round < PURGE_ROUNDS_MAX; round += 1) {
    const { rowCount } = await pool.query(PURGE_SQL);
    if ((rowCount ?? 0) < PURGE_BATCH_ROWS) return;
  }
}
