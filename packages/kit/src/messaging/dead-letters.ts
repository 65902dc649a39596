import type pg from 'pg';
import { appendAudit, type AuditAct, type AuditRow } from '../database/audit.ts';
import { transact } from '../database/transaction.ts';

/**
 * Dead letters of the relay: events that could not be published. The name of no durable, because those have the form
 * `<service>--<stream>`.
 */
export const RELAY_DURABLE = 'relay';

/** An event that could not be applied, or not published, with its error. */
export interface DeadLetter {
  readonly id: string;
  readonly durable: string;
  readonly eventId: string | null;
  readonly subject: string;
  readonly error: string;
  readonly attempts: number;
  readonly createdAt: Date;
}

interface NewDeadLetter extends Omit<DeadLetter, 'id' | 'createdAt'> {
  readonly envelope: string;
}

const INSERT_SQL = `INSERT INTO kit.dead_letter (durable, event_id, subject, envelope, error, attempts)
  VALUES ($1, $2, $3, $4, $5, $6)`;
// Without the envelopes, which may have several megabytes each.
const LIST_SQL = `SELECT id, durable, event_id AS "eventId", subject, error, attempts, created_at AS "createdAt"
  FROM kit.dead_letter WHERE replayed_at IS NULL AND ($1::text IS NULL OR durable = $1) AND ($2::bigint[] IS NULL OR id = ANY($2))
  ORDER BY id LIMIT 1000`;

/**
 * Error text of a dead letter whose trial has not ended: its event may have crashed the process. Rows are found by this text,
 * so it must not change.
 */
const UNFINISHED_TRIAL_ERROR = 'begun and never finished: the process ended meanwhile';
const COUNT_TRIAL_SQL = `UPDATE kit.dead_letter SET attempts = attempts + 1
  WHERE durable = $1 AND event_id = $2 AND error = $3 AND replayed_at IS NULL RETURNING attempts`;
// The limit bounds the time of `/ready`, also when a whole stream has become dead letters.
const COUNTED_ROWS_MAX = 10_000;
const COUNT_SQL = `SELECT durable, count(*)::int AS count FROM
  (SELECT durable FROM kit.dead_letter WHERE replayed_at IS NULL LIMIT ${COUNTED_ROWS_MAX}) AS waiting GROUP BY durable`;
const PURGE_BATCH_ROWS = 1_000;
// Replayed rows are kept for a while, because they show what an operator has repaired.
const PURGE_SQL = `DELETE FROM kit.dead_letter WHERE id IN
  (SELECT id FROM kit.dead_letter WHERE replayed_at < now() - interval '30 days' LIMIT ${PURGE_BATCH_ROWS})`;
const READ_SQL = `SELECT id, durable, event_id AS "eventId", subject, error, attempts, created_at AS "createdAt", envelope
  FROM kit.dead_letter WHERE id = $1`;
// The row stays for 30 days like a replayed one, with the reason in its error.
const DISCARD_SQL = `UPDATE kit.dead_letter SET replayed_at = now(), error = left('discarded: ' || $2 || '; ' || error, 4000)
  WHERE id = ANY($1::bigint[]) AND replayed_at IS NULL RETURNING id, envelope`;
const DELETE_TRIAL_SQL =
  'DELETE FROM kit.dead_letter WHERE durable = $1 AND event_id = $2 AND error = $3 AND replayed_at IS NULL';

/** Stores a dead letter. */
export async function writeDeadLetter(db: Pick<pg.Pool, 'query'>, deadLetter: NewDeadLetter): Promise<void> {
  const { durable, eventId, subject, envelope, error, attempts } = deadLetter;
  // PostgreSQL's text type rejects NUL, which an unparsable message may contain.
  const [text, errorText] = [envelope, error.slice(0, 4_000)].map((part) => part.replaceAll('\u0000', '\uFFFD'));
  await db.query(INSERT_SQL, [durable, eventId, subject, text, errorText, attempts]);
}

/**
 * Stores a dead letter before an event is tried, so that it remains if the trial crashes the process. Returns the number of
 * trials begun, including this one. `endTrial` deletes it, best in the transaction that applies the event.
 */
export async function beginTrial(pool: pg.Pool, event: Omit<NewDeadLetter, 'error' | 'attempts'>): Promise<number> {
  const { rows } = await pool.query<{ attempts: number }>(COUNT_TRIAL_SQL, [
    event.durable,
    event.eventId,
    UNFINISHED_TRIAL_ERROR,
  ]);
  if (rows[0] !== undefined) return rows[0].attempts;
  await writeDeadLetter(pool, { ...event, error: UNFINISHED_TRIAL_ERROR, attempts: 1 });
  return 1;
}

/** Deletes the dead letter of `beginTrial`: the trial ended, with success or with an error of its own. */
export async function endTrial(db: Pick<pg.Pool, 'query'>, durable: string, eventId: string): Promise<void> {
  await db.query(DELETE_TRIAL_SQL, [durable, eventId, UNFINISHED_TRIAL_ERROR]);
}

/** Which dead letters: all of a durable, or of every one; of these the ones with these ids. */
export interface DeadLetterChoice {
  readonly durable?: string | undefined;
  readonly ids?: readonly string[] | undefined;
}

/** Dead letters not yet replayed, oldest first, at most 1,000. */
export async function listDeadLetters(
  pool: pg.Pool,
  { durable, ids }: DeadLetterChoice = {},
): Promise<readonly DeadLetter[]> {
  return (await pool.query<DeadLetter>(LIST_SQL, [durable ?? null, ids ?? null])).rows;
}

/** Dead letters not yet replayed, by durable. Counts no further than 10,000 in all. */
export async function countDeadLetters(pool: pg.Pool): Promise<Readonly<Record<string, number>>> {
  const { rows } = await pool.query<{ durable: string; count: number }>({ name: 'dead-letter-count', text: COUNT_SQL });
  return Object.fromEntries(rows.map(({ durable, count }) => [durable, count]));
}

/** A dead letter with the text of its event, also a replayed one; undefined when there is none of this id. */
export async function readDeadLetter(
  pool: pg.Pool,
  id: string,
): Promise<(DeadLetter & { readonly envelope: string }) | undefined> {
  return (await pool.query<DeadLetter & { readonly envelope: string }>(READ_SQL, [id])).rows[0];
}

/**
 * Takes dead letters off the list for good: they are neither applied nor published. Each is a change of the act. Returns the rows
 * of the audit log.
 */
export async function discardDeadLetters(
  pool: pg.Pool,
  act: AuditAct,
  { ids, reason }: { readonly ids: readonly string[]; readonly reason: string },
): Promise<readonly AuditRow[]> {
  return transact(pool, async (tx) => {
    const { rows } = await tx.query<{ id: string; envelope: string }>(DISCARD_SQL, [ids, reason]);
    const recorded: AuditRow[] = [];
    for (const { id, envelope } of rows) recorded.push(...(await appendAudit(tx, act, { id, before: envelope })));
    return recorded;
  });
}

/** Deletes at most 1,000 rows that were replayed more than 30 days ago. */
export async function purgeDeadLetters(db: Pick<pg.Client, 'query'>): Promise<void> {
  await db.query(PURGE_SQL);
}
