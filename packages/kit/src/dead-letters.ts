import type pg from 'pg';
import type { Subscription } from './subscription.ts';
import { transact } from './database.ts';
import { claim } from './inbox.ts';
import { readEnvelope } from './read-envelope.ts';

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

type NewLetter = Omit<DeadLetter, 'id' | 'createdAt'>;

const BURY = `INSERT INTO dead_letter (durable, event_id, subject, envelope, error, attempts)
  VALUES ($1, $2, $3, $4, $5, $6)`;
const LIST = `SELECT id, durable, event_id AS "eventId", subject, envelope, error, attempts, created_at AS "createdAt"
  FROM dead_letter WHERE replayed_at IS NULL AND ($1::text IS NULL OR durable = $1) ORDER BY id LIMIT 1000`;

/** The error of a letter whose event was begun and never finished: it may be what ended the process. */
const UNFINISHED = 'begun and never finished: the process ended meanwhile';
const BEGIN_AGAIN = `UPDATE dead_letter SET attempts = attempts + 1
  WHERE durable = $1 AND event_id = $2 AND error = $3 AND replayed_at IS NULL RETURNING attempts`;
const FINISH = 'DELETE FROM dead_letter WHERE durable = $1 AND event_id = $2 AND error = $3 AND replayed_at IS NULL';

/** Puts an event aside, so that the stream moves on. */
export async function bury(pool: pg.Pool, letter: NewLetter): Promise<void> {
  const { durable, eventId, subject, envelope, error, attempts } = letter;
  // PostgreSQL's text holds no NUL, and what failed to parse may contain one.
  const [text, why] = [envelope, error.slice(0, 4_000)].map((part) => part.replaceAll('\u0000', '\uFFFD'));
  await pool.query(BURY, [durable, eventId, subject, text, why, attempts]);
}

/**
 * Buries an event before it is tried, so that it stays buried if trying it ends the process. Gives how often that was begun,
 * this time included. `finishLetter` takes it back, best in the transaction of the event's effect.
 */
export async function beginLetter(pool: pg.Pool, letter: Omit<NewLetter, 'error' | 'attempts'>): Promise<number> {
  const { rows } = await pool.query<{ attempts: number }>(BEGIN_AGAIN, [letter.durable, letter.eventId, UNFINISHED]);
  if (rows[0] !== undefined) return rows[0].attempts;
  await bury(pool, { ...letter, error: UNFINISHED, attempts: 1 });
  return 1;
}

/** Takes back what `beginLetter` wrote: the event was finished, one way or the other. */
export async function finishLetter(db: Pick<pg.Pool, 'query'>, durable: string, eventId: string): Promise<void> {
  await db.query(FINISH, [durable, eventId, UNFINISHED]);
}

/** Dead letters that nobody has replayed yet, oldest first, at most 1,000; of one durable, or of all. */
export async function listDeadLetters(pool: pg.Pool, durable?: string): Promise<readonly DeadLetter[]> {
  return (await pool.query<DeadLetter>(LIST, [durable ?? null])).rows;
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
  let done = 0;
  const failures: Error[] = [];
  for (const { id, envelope } of await listDeadLetters(pool, durable)) {
    try {
      const event = readEnvelope(envelope);
      if (event === undefined) throw new Error('not an envelope of ours');
      await transact(pool, async (tx) => {
        if ((await claim(tx, durable, [event.id])).size > 0) await apply(tx, [event]);
        await tx.query('UPDATE dead_letter SET replayed_at = now() WHERE id = $1', [id]);
      });
      done += 1;
    } catch (error) {
      failures.push(new Error(`letter ${id}: ${String(error)}`, { cause: error }));
    }
  }
  if (failures.length === 0) return done;
  const told = failures.map(({ message }) => message).join('; ');
  throw new AggregateError(failures, `${durable}: ${done} applied, ${failures.length} failed again: ${told}`);
}
