import type pg from 'pg';

const CLAIM = `INSERT INTO inbox (durable, event_id) SELECT $1, unnest($2::uuid[]) ON CONFLICT DO NOTHING
  RETURNING event_id AS id`;
const PURGE = `DELETE FROM inbox WHERE ctid IN
  (SELECT ctid FROM inbox WHERE received_at < now() - interval '7 days' LIMIT 1000)`;

/**
 * Marks events as applied by this durable, in the transaction of their effect, and gives those that were not before. Twice
 * delivered is once applied.
 */
export async function claim(tx: pg.PoolClient, durable: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await tx.query<{ id: string }>({ name: 'inbox-claim', text: CLAIM, values: [durable, ids] });
  return new Set(rows.map((row) => row.id));
}

/** Forgets events of more than a week ago: longer than anything is redelivered. */
export async function purgeInbox(pool: pg.Pool): Promise<void> {
  await pool.query(PURGE);
}
