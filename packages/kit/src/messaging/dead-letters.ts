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

/** The error of a letter whose event was begun and never finished: it may be what ended the process. */
const UNFINISHED_TRIAL_ERROR = 'begun and never finished: the process ended meanwhile';
const COUNT_TRIAL_SQL = `UPDATE dead_letter SET attempts = attempts + 1
  WHERE durable = $1 AND event_id = $2 AND error = $3 AND replayed_at IS NULL RETURNING attempts`;
const DELETE_TRIAL_SQL =
  'DELETE FROM dead_letter WHERE durable = $1 AND event_id = $2 AND error = $3 AND replayed_at IS NULL';

/** Puts an event aside, so that the stream moves on. */
export async function writeDeadLetter(pool: pg.Pool, deadLetter: NewDeadLetter): Promise<void> {
  const { durable, eventId, subject, envelope, error, attempts } = deadLetter;
  // PostgreSQL's text holds no NUL, and what failed to parse may contain one.
  const [text, errorText] = [envelope, error.slice(0, 4_000)].map((part) => part.replaceAll('\u0000', '\uFFFD'));
  await pool.query(INSERT_SQL, [durable, eventId, subject, text, errorText, attempts]);
}

/**
 * Buries an event before it is tried, so that it stays buried if trying it ends the process. Gives how often that was begun,
 * this time included. `finishLetter` takes it back, best in the transaction of the event's effect.
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

/** Takes back what `beginLetter` wrote: the event was finished, one way or the other. */
export async function endTrial(db: Pick<pg.Pool, 'query'>, durable: string, eventId: string): Promise<void> {
  await db.query(DELETE_TRIAL_SQL, [durable, eventId, UNFINISHED_TRIAL_ERROR]);
}

/** Dead letters that nobody has replayed yet, oldest first, at most 1,000; of one durable, or of all. */
export async function listDeadLetters(pool: pg.Pool, durable?: string): Promise<readonly DeadLetter[]> {
  return (await pool.query<DeadLetter>(LIST_SQL, [durable ?? null])).rows;
}

/** How many wait. */
export async function countDeadLetters(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: string }>('SELECT count(*) FROM dead_letter WHERE replayed_at IS NULL');
  return Number(rows[0]?.count ?? 0);
}

/**
 * Applies the dead letters of a subscription once more, oldest first, each in a transaction of its own that marks it as
 * replayed, and through the inbox: one that was applied meanwhile is only marked. Gives how many. One that fails again stays,
 * and the error that tells of it is thrown when the others have been tried.
 */
export async function replayDeadLetters(pool: pg.Pool, { durable, apply }: Subscription): Promise<number> {
  let appliedCount = 0;
  const failures: Error[] = [];
  for (const { id, envelope } of await listDeadLetters(pool, durable)) {
    try {
      const event = parseEnvelope(envelope);
      if (event === undefined) throw new Error('not an envelope of ours');
      await transact(pool, async (tx) => {
        if ((await claimEvents(tx, durable, [event.id])).size > 0) await apply(tx, [event]);
        await tx.query('UPDATE dead_letter SET replayed_at = now() WHERE id = $1', [id]);
      });
      appliedCount += 1;
    } catch (error) {
      failures.push(new Error(`letter ${id}: ${String(error)}`, { cause: error }));
    }
  }
  if (failures.length === 0) return appliedCount;
  const reasons = failures.map(({ message }) => message).join('; ');
  throw new AggregateError(
    failures,
    `${durable}: ${appliedCount} applied, ${failures.length} failed again: ${reasons}`,
  );
}
