import type pg from 'pg';
import type { Subscription } from './subscription.ts';
import { transact } from '../database/transaction.ts';
import { claimEvents } from './inbox.ts';
import { parseEnvelope } from './parse-envelope.ts';

/** An event that could not be applied, with its error. */
export interface DeadLetter {
  readonly id: string;
  readonly durable: string;
  readonly eventId: string | null;
  readonly subject: string;
  readonly envelope: string;
  readonly error: string;
  readonly attempts: number;
  readonly createdAt: Date;
}

type NewDeadLetter = Omit<DeadLetter, 'id' | 'createdAt'>;

const INSERT_SQL = `INSERT INTO dead_letter (durable, event_id, subject, envelope, error, attempts)
  VALUES ($1, $2, $3, $4, $5, $6)`;
const LIST_SQL = `SELECT id, durable, event_id AS "eventId", subject, envelope, error, attempts, created_at AS "createdAt"
  FROM dead_letter WHERE replayed_at IS NULL AND ($1::text IS NULL OR durable = $1) ORDER BY id LIMIT 1000`;

/**
 * Error text of a dead letter whose trial has not ended: its event may have crashed the process. Rows are found by this text,
 * so it must not change.
 */
const UNFINISHED_TRIAL_ERROR = 'begun and never finished: the process ended meanwhile';
const COUNT_TRIAL_SQL = `UPDATE dead_letter SET attempts = attempts + 1
  WHERE durable = $1 AND event_id = $2 AND error = $3 AND replayed_at IS NULL RETURNING attempts`;
const DELETE_TRIAL_SQL =
  'DELETE FROM dead_letter WHERE durable = $1 AND event_id = $2 AND error = $3 AND replayed_at IS NULL';

/** Stores a dead letter. */
export async function writeDeadLetter(pool: pg.Pool, deadLetter: NewDeadLetter): Promise<void> {
  const { durable, eventId, subject, envelope, error, attempts } = deadLetter;
  // PostgreSQL's text type rejects NUL, which an unparsable message may contain.
  const [text, errorText] = [envelope, error.slice(0, 4_000)].map((part) => part.replaceAll('\u0000', '\uFFFD'));
  await pool.query(INSERT_SQL, [durable, eventId, subject, text, errorText, attempts]);
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

/** Dead letters not yet replayed, oldest first, at most 1,000; of one durable, or of all. */
export async function listDeadLetters(pool: pg.Pool, durable?: string): Promise<readonly DeadLetter[]> {
  return (await pool.query<DeadLetter>(LIST_SQL, [durable ?? null])).rows;
}

/** Number of dead letters not yet replayed. */
export async function countDeadLetters(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: string }>('SELECT count(*) FROM dead_letter WHERE replayed_at IS NULL');
  return Number(rows[0]?.count ?? 0);
}

/**
 * Applies the dead letters of a subscription again, oldest first, each in its own transaction that also marks it as replayed.
 * Goes through the inbox, so an event that was applied meanwhile is only marked. Returns the number. A dead letter that fails
 * again stays; after all have been tried, one AggregateError reports the failures.
 */
export async function replayDeadLetters(pool: pg.Pool, { durable, apply }: Subscription): Promise<number> {
  let appliedCount = 0;
  const failures: Error[] = [];
  for (const { id, envelope } of await listDeadLetters(pool, durable)) {
    try {
      const event = parseEnvelope(envelope);
      if (event === undefined) throw new Error('not an event envelope');
      await transact(pool, async (tx) => {
        if ((await claimEvents(tx, durable, [event.id])).size > 0) await apply(tx, [event]);
        await tx.query('UPDATE dead_letter SET replayed_at = now() WHERE id = $1', [id]);
      });
      appliedCount += 1;
    } catch (error) {
      failures.push(new Error(`dead letter ${id}: ${String(error)}`, { cause: error }));
    }
  }
  if (failures.length === 0) return appliedCount;
  const reasons = failures.map(({ message }) => message).join('; ');
  throw new AggregateError(
    failures,
    `${durable}: ${appliedCount} applied, ${failures.length} failed again: ${reasons}`,
  );
}
