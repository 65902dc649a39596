import type { Instant } from '@procurement/contracts/reading/instant';
import type pg from 'pg';
import { readRow, TENDER_COLUMNS, type TenderRecord } from './tender.row.ts';

const SELECT_TENDER = `SELECT ${TENDER_COLUMNS} FROM tender`;
const TENDER_ID = /^[0-9a-f]{32}$/;

/** Whether a text can be the id of a tender at all. */
export function isTenderId(id: string): boolean {
  return TENDER_ID.test(id);
}

/** One tender; locked for a change when asked so. */
export async function loadTender(
  db: pg.Pool | pg.PoolClient,
  id: string,
  { lock }: { readonly lock: boolean },
): Promise<TenderRecord | undefined> {
  if (!isTenderId(id)) return undefined;
  const text = `${SELECT_TENDER} WHERE id = $1${lock ? ' FOR UPDATE' : ''}`;
  const { rows } = await db.query({ name: `tender-load-${lock}`, text, values: [id] });
  return rows[0] === undefined ? undefined : readRow(rows[0]);
}

/** Several, locked in the order of their ids, so that two that want the same ones cannot deadlock. */
export async function lockTenders(tx: pg.PoolClient, ids: readonly string[]): Promise<readonly TenderRecord[]> {
  const text = `${SELECT_TENDER} WHERE id = ANY($1::text[]) ORDER BY id FOR UPDATE`;
  const { rows } = await tx.query({ name: 'tenders-lock', text, values: [ids] });
  return rows.map(readRow);
}

/** Those for which the clock has to act, the earliest first, passing over what others are at. */
export async function lockDueTenders(tx: pg.PoolClient, now: Instant, max: number): Promise<readonly TenderRecord[]> {
  const text = `${SELECT_TENDER} WHERE due_at <= $1 ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED`;
  const { rows } = await tx.query({ name: 'tenders-due', text, values: [now, max] });
  return rows.map(readRow);
}

/** When the clock has to act next for any tender; undefined when for none. */
export async function nextDue(pool: pg.Pool): Promise<Instant | undefined> {
  const { rows } = await pool.query<{ due: string | null }>({
    name: 'tenders-next-due',
    text: 'SELECT min(due_at) AS due FROM tender WHERE due_at IS NOT NULL',
  });
  const due = rows[0]?.due;
  // The column holds instants.
  return due === null || due === undefined ? undefined : (Number(due) as Instant);
}
