import { Envelope } from '@procurement/contracts/events/envelope';
import type pg from 'pg';
import type { Subscription } from './subscription.ts';
import { transact } from './database.ts';
import { claim } from './inbox.ts';

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

const BURY = `INSERT INTO dead_letter (durable, event_id, subject, envelope, error, attempts)
  VALUES ($1, $2, $3, $4, $5, $6)`;
const LIST = `SELECT id, durable, event_id AS "eventId", subject, envelope, error, attempts, created_at AS "createdAt"
  FROM dead_letter WHERE replayed_at IS NULL ORDER BY id LIMIT 1000`;

/** Puts an event aside, so that the stream moves on. */
export async function bury(pool: pg.Pool, letter: Omit<DeadLetter, 'id' | 'createdAt'>): Promise<void> {
  const { durable, eventId, subject, envelope, error, attempts } = letter;
  // PostgreSQL's text holds no NUL, and what failed to parse may contain one.
  const text = envelope.replaceAll('\u0000', '\uFFFD');
  await pool.query(BURY, [durable, eventId, subject, text, error.slice(0, 4_000), attempts]);
}

/** Dead letters that nobody has replayed yet, oldest first. */
export async function listDeadLetters(pool: pg.Pool): Promise<readonly DeadLetter[]> {
  return (await pool.query<DeadLetter>(LIST)).rows;
}

/** How many wait. */
export async function countDeadLetters(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: string }>('SELECT count(*) FROM dead_letter WHERE replayed_at IS NULL');
  return Number(rows[0]?.count ?? 0);
}

/**
 * Applies the dead letters of a subscription once more, oldest first, each in a transaction of its own that marks it as
 * replayed; gives how many. One that fails again stops the run with its error and stays.
 */
export async function replayDeadLetters(pool: pg.Pool, { durable, apply }: Subscription): Promise<number> {
  let done = 0;
  for (const letter of await listDeadLetters(pool)) {
    if (letter.durable !== durable) continue;
    const event = Envelope.parse(JSON.parse(letter.envelope));
    await transact(pool, async (tx) => {
      if ((await claim(tx, durable, [event.id])).size > 0) await apply(tx, [event]);
      await tx.query('UPDATE dead_letter SET replayed_at = now() WHERE id = $1', [letter.id]);
    });
    done += 1;
  }
  return done;
}
