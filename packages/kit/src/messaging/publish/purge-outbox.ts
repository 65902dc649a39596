import type pg from 'pg';

/** Rows that one call deletes at most. */
export const OUTBOX_PURGE_ROWS_MAX = 1_000;
// Sent rows are kept for a day: a NATS server whose host crashes may lose messages that it acknowledged in its last minutes,
// and an operator then publishes them again. The day is counted back from the last row that was sent, so that the newest event of the stream
// stays: by it a restored database is known (`told-events.ts`).
const PURGE = `DELETE FROM kit.outbox WHERE position IN (SELECT position FROM
  (SELECT position, sent_at FROM kit.outbox ORDER BY position LIMIT ${OUTBOX_PURGE_ROWS_MAX}) AS oldest
  WHERE sent_at < (SELECT sent_at FROM kit.outbox WHERE sent_at IS NOT NULL ORDER BY position DESC LIMIT 1) - interval '24 hours')`;

/** Deletes the oldest rows that were sent long ago. Returns their number. */
export async function purgeOutbox(client: pg.ClientBase): Promise<number> {
  return (await client.query(PURGE)).rowCount ?? 0;
}
