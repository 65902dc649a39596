import type pg from 'pg';
import { RELAY_DURABLE } from '../dead-letters.ts';

// With the old ids, so that consumers skip an event that was published after all.
const REQUEUE_SQL = `WITH replayed AS (UPDATE kit.dead_letter SET replayed_at = now()
    WHERE durable = $1 AND replayed_at IS NULL AND ($2::bigint[] IS NULL OR id = ANY($2))
    RETURNING id, event_id, subject, envelope)
  INSERT INTO kit.outbox (id, subject, envelope) SELECT event_id, subject, envelope FROM replayed ORDER BY id
  ON CONFLICT (id) DO UPDATE SET sent_at = NULL`;

/**
 * Moves the dead letters of the relay, or those with these ids, back to the outbox, in the order in which they became dead letters.
 * Returns their number. One that still cannot be published becomes a dead letter again.
 */
export async function requeueUnpublished(pool: pg.Pool, ids?: readonly string[]): Promise<number> {
  return (await pool.query(REQUEUE_SQL, [RELAY_DURABLE, ids ?? null])).rowCount ?? 0;
}
