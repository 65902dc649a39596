import type { Instant } from '@procurement/contracts/reading/instant';
import type pg from 'pg';
import type { DueRow } from './clock-failures.ts';

type Queryable = Pick<pg.Pool, 'query'>;

/** Runs a named statement that selects `id`, `due_at` (microseconds) and `bytes` of due rows. */
export async function selectDueRows(
  db: Queryable,
  statement: { readonly name: string; readonly text: string; readonly values: unknown[] },
): Promise<readonly DueRow[]> {
  const { rows } = await db.query<{ id: string; due_at: string; bytes: number }>(statement);
  return rows.map(({ id, due_at: dueAt, bytes }) => ({ id, bytes, dueAt: parseMicros(dueAt) }));
}

/** Runs a named statement that selects the earliest `due`. Undefined when nothing is due at any time. */
export async function selectNextDue(
  db: Queryable,
  statement: { readonly name: string; readonly text: string },
): Promise<Instant | undefined> {
  const { rows } = await db.query<{ due: string | null }>(statement);
  const due = rows[0]?.due;
  return due === null || due === undefined ? undefined : parseMicros(due);
}

function parseMicros(text: string): Instant {
  // Safe cast: the column holds instants, below 2^53.
  return Number(text) as Instant;
}
