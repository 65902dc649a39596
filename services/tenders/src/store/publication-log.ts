import { transact } from '@procurement/kit/database/transaction';
import type pg from 'pg';

const PURGE_LOCK_KEY = '7270738003';
const PURGE_ROWS_MAX = 1_000;

/**
 * Records that the database was restored with lost commits, if the setting was raised. Call before anything is published: stamps of
 * the new epoch are greater than its beginning.
 */
export async function beginFeedEpoch(pool: pg.Pool, epoch: number): Promise<void> {
  await transact(pool, async (tx) => tx.query('SELECT begin_feed_epoch($1)', [epoch]));
}

// The newest listed publication and what follows stays, so that numbers go on after it, and the log stays without a gap.
const PURGE_SQL = `WITH gone AS (DELETE FROM tender_publication WHERE stamp IN (
    SELECT stamp FROM tender_publication
    WHERE stamp < (extract(epoch FROM now() - make_interval(days => $1)) * 1000000)::bigint
      AND stamp < (SELECT stamp FROM tender_publication WHERE number IS NOT NULL ORDER BY number DESC LIMIT 1)
    ORDER BY stamp LIMIT ${PURGE_ROWS_MAX}) RETURNING tender_id, version),
  texts AS (DELETE FROM tender_publication_text USING gone
    WHERE tender_publication_text.tender_id = gone.tender_id AND tender_publication_text.version = gone.version)
  SELECT count(*)::integer AS deleted FROM gone`;

/**
 * Deletes the oldest publications that are older than so many days, in batches. Returns how many. One replica at a time: a batch that
 * commits before an earlier one would leave a gap if that one is rolled back.
 */
export async function purgePublications(pool: pg.Pool, days: number): Promise<number> {
  let deleted = 0;
  for (;;) {
    const batch = await transact(pool, async (tx) => {
      const lock = await tx.query<{ held: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS held', [PURGE_LOCK_KEY]);
      if (lock.rows[0]?.held !== true) return 0;
      const { rows } = await tx.query<{ deleted: number }>({
        name: 'publications-purge',
        text: PURGE_SQL,
        values: [days],
      });
      return rows[0]?.deleted ?? 0;
    });
    deleted += batch;
    if (batch < PURGE_ROWS_MAX) return deleted;
  }
}
