import type { Instant } from '@procurement/contracts/reading/instant';
import type { DueRow } from '@procurement/kit/database/clock-failures';
import { selectDueRows, selectNextDue } from '@procurement/kit/database/due-rows';
import type pg from 'pg';
import { readRow, TENDER_COLUMNS, type TenderRecord } from './tender.row.ts';

const SELECT_TENDER = `SELECT ${TENDER_COLUMNS} FROM tender`;
const LOAD = `${SELECT_TENDER} WHERE id = $1`;
// In the order of ids, so that two transactions with the same tenders cannot deadlock.
const LOCK = `${SELECT_TENDER} WHERE id = ANY($1::text[]) ORDER BY id FOR UPDATE`;
const LOCK_FREE = `${SELECT_TENDER} WHERE id = ANY($1::text[]) ORDER BY due_at FOR UPDATE SKIP LOCKED`;
// Facts have their version as a number at their beginning. Of a row that cannot be read as facts it is that of the row.
const FACTS_VERSION = `SELECT coalesce(substring(facts FROM '"version":(\\d+)')::bigint, version) AS version FROM tender WHERE id = $1`;
// The size of a stored text is known without reading it.
const ROW_BYTES = 'octet_length(document) + octet_length(private_state) + octet_length(facts)';
const BYTES = `SELECT id, ${ROW_BYTES} AS bytes FROM tender WHERE id = ANY($1::text[])`;
const LOCK_DUE = `SELECT id, due_at, ${ROW_BYTES} AS bytes FROM tender WHERE due_at <= $1 ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED`;
const NEXT_DUE = 'SELECT min(due_at) AS due FROM tender WHERE due_at IS NOT NULL';

const TENDER_ID = /^[0-9a-f]{32}$/;

/** Whether a text has the form of a tender id. */
export function isTenderId(id: string): boolean {
  return TENDER_ID.test(id);
}

/** Loads one tender; with `lock`, for update. */
export async function loadTender(
  db: pg.Pool | pg.PoolClient,
  id: string,
  { lock }: { readonly lock: boolean },
): Promise<TenderRecord | undefined> {
  if (!isTenderId(id)) return undefined;
  const text = lock ? `${LOAD} FOR UPDATE` : LOAD;
  const { rows } = await db.query({ name: `tender-load-${lock}`, text, values: [id] });
  return rows[0] === undefined ? undefined : readRow(rows[0]);
}

/** The version at which the facts of a tender changed last; 0 when it does not exist. With `lock`, locks it for update. */
export async function readFactsVersion(
  db: pg.Pool | pg.PoolClient,
  id: string,
  { lock }: { readonly lock: boolean },
): Promise<number> {
  const text = lock ? `${FACTS_VERSION} FOR UPDATE` : FACTS_VERSION;
  const { rows } = await db.query<{ version: string }>({ name: `tender-facts-version-${lock}`, text, values: [id] });
  return Number(rows[0]?.version ?? 0);
}

/** Loads tenders and locks them for update. */
export async function lockTenders(tx: pg.PoolClient, ids: readonly string[]): Promise<readonly TenderRecord[]> {
  const { rows } = await tx.query({ name: 'tenders-lock', text: LOCK, values: [ids] });
  return rows.map(readRow);
}

/** Bytes of the rows of these tenders. */
export async function tenderBytes(pool: pg.Pool, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const { rows } = await pool.query<{ id: string; bytes: number }>({
    name: 'tender-bytes',
    text: BYTES,
    values: [ids],
  });
  return new Map(rows.map(({ id, bytes }) => [id, bytes]));
}

/** Locks due tenders, the earliest first, without reading them. Skips tenders that another transaction has locked. */
export async function lockDueTenders(tx: pg.PoolClient, now: Instant, max: number): Promise<readonly DueRow[]> {
  return selectDueRows(tx, { name: 'tenders-lock-due', text: LOCK_DUE, values: [now, max] });
}

/** Rows of tenders for `readRow`, locked; without those that another transaction has locked. */
export async function lockRows(tx: pg.PoolClient, ids: readonly string[]): Promise<readonly { readonly id: string }[]> {
  return (await tx.query<{ id: string }>({ name: 'tenders-lock-rows', text: LOCK_FREE, values: [ids] })).rows;
}

/** The earliest deadline of all tenders, in real time; `undefined` when there is none. */
export async function nextDue(pool: pg.Pool): Promise<Instant | undefined> {
  return selectNextDue(pool, { name: 'tenders-next-due', text: NEXT_DUE });
}
