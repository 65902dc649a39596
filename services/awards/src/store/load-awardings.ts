import type { Instant } from '@procurement/contracts/reading/instant';
import type { DueRow } from '@procurement/kit/database/clock-failures';
import { selectDueRows, selectNextDue } from '@procurement/kit/database/due-rows';
import type pg from 'pg';
import { emptyAwarding } from '../domain/awarding.evolve.ts';
import type { Awarding } from '../domain/awarding.ts';
import { AWARDING_COLUMNS, readRow, type AwardingRecord } from './awarding.row.ts';
import { tendersInReplica } from './newest-in-replica.ts';
import type { CurrentTenders } from './tender-reader.ts';

const SELECT_AWARDING = `SELECT ${AWARDING_COLUMNS} FROM awarding WHERE tender_id = $1`;
/** Keeps the keys of these advisory locks apart from others in the database. */
const LOCK_SEED = 7_270_738_101;

async function readOne(
  db: pg.Pool | pg.PoolClient,
  name: string,
  text: string,
  id: string,
): Promise<AwardingRecord | undefined> {
  const { rows } = await db.query({ name, text, values: [id] });
  return rows[0] === undefined ? undefined : readRow(rows[0]);
}

/** The awarding of a tender; an empty one when there is no row. */
export async function loadAwarding(db: pg.Pool | pg.PoolClient, tenderId: string): Promise<AwardingRecord> {
  return (
    (await readOne(db, 'awarding-load', SELECT_AWARDING, tenderId)) ?? {
      state: emptyAwarding(tenderId),
      dueAt: undefined,
    }
  );
}

/** Loads and locks the awarding of a tender. Without a row an advisory lock serialises the first changes. */
export async function lockAwarding(tx: pg.PoolClient, tenderId: string): Promise<AwardingRecord> {
  const lock = async () => readOne(tx, 'awarding-lock', `${SELECT_AWARDING} FOR UPDATE`, tenderId);
  const found = await lock();
  if (found !== undefined) return found;
  const text = `SELECT pg_advisory_xact_lock(hashtextextended($1, ${LOCK_SEED}))`;
  await tx.query({ name: 'awarding-turn', text, values: [tenderId] });
  return (await lock()) ?? { state: emptyAwarding(tenderId), dueAt: undefined };
}

/** The version of an awarding; 0 when there is no row. */
export async function awardingVersion(pool: pg.Pool, tenderId: string): Promise<number> {
  const text = 'SELECT version FROM awarding WHERE tender_id = $1';
  const { rows } = await pool.query<{ version: string }>({ name: 'awarding-version', text, values: [tenderId] });
  return Number(rows[0]?.version ?? 0);
}

/** An awarding, or its id when its row cannot be read. */
export type LockedAwarding = AwardingRecord | { readonly unreadableId: string };

/** Locks the existing rows in order of ids, so that two transactions cannot deadlock. */
export async function lockAwardings(tx: pg.PoolClient, ids: readonly string[]): Promise<readonly LockedAwarding[]> {
  const text = `SELECT ${AWARDING_COLUMNS} FROM awarding WHERE tender_id = ANY($1::text[]) ORDER BY tender_id FOR UPDATE`;
  const { rows } = await tx.query<{ id: string }>({ name: 'awardings-lock', text, values: [ids] });
  return rows.map((row) => {
    try {
      return readRow(row);
    } catch {
      return { unreadableId: row.id };
    }
  });
}

/** Awardings that have contracts, and the ids of the rows that cannot be read. */
export interface LockedContracts {
  readonly awardings: readonly Awarding[];
  readonly unreadableIds: readonly string[];
}

/**
 * Locks the awardings of these tenders. Each has the facts of its tender as the local copy has them; facts that the copy has lost are
 * requested from their owner. A tender that the owner does not have is left out: its awards are void. Throws `UnavailableError` when
 * the owner does not answer.
 */
export async function lockContracts(
  tx: pg.PoolClient,
  tenderIds: readonly string[],
  currentTenders: CurrentTenders,
): Promise<LockedContracts> {
  const records = await lockAwardings(tx, tenderIds);
  const states = records.flatMap((record) =>
    'state' in record && record.state.contracts.length > 0 ? [record.state] : [],
  );
  const ids = states.map(({ id }) => id);
  const copied = await tendersInReplica(tx, ids);
  const requested = await currentTenders(ids.filter((id) => !copied.has(id)));
  return {
    awardings: states.flatMap((state) => {
      const tender = copied.get(state.id) ?? requested.get(state.id);
      return tender === undefined ? [] : [{ ...state, tender }];
    }),
    unreadableIds: records.flatMap((record) => ('state' in record ? [] : [record.unreadableId])),
  };
}

// The size of a stored text is known without reading it.
const ROW_BYTES = 'octet_length(document) + octet_length("inner")';

/** Bytes of the rows of these awardings. */
export async function awardingBytes(pool: pg.Pool, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const text = `SELECT tender_id AS id, ${ROW_BYTES} AS bytes FROM awarding WHERE tender_id = ANY($1::text[])`;
  const { rows } = await pool.query<{ id: string; bytes: number }>({ name: 'awarding-bytes', text, values: [ids] });
  return new Map(rows.map(({ id, bytes }) => [id, bytes]));
}

/** Due awardings, the earliest first, without their contents and without locks. */
export async function dueAwardings(pool: pg.Pool, now: Instant, max: number): Promise<readonly DueRow[]> {
  const text = `SELECT tender_id AS id, due_at, ${ROW_BYTES} AS bytes
    FROM awarding WHERE due_at <= $1 ORDER BY due_at LIMIT $2`;
  return selectDueRows(pool, { name: 'awardings-due', text, values: [now, max] });
}

/** Locks rows for `readRow`; skips rows that another transaction has locked. */
export async function lockRows(tx: pg.PoolClient, ids: readonly string[]): Promise<readonly { readonly id: string }[]> {
  const text = `SELECT ${AWARDING_COLUMNS} FROM awarding WHERE tender_id = ANY($1::text[]) ORDER BY due_at
    FOR UPDATE SKIP LOCKED`;
  return (await tx.query<{ id: string }>({ name: 'awardings-lock-rows', text, values: [ids] })).rows;
}

/** The earliest deadline of any awarding, in real time. */
export async function nextDue(pool: pg.Pool): Promise<Instant | undefined> {
  const text = 'SELECT min(due_at) AS due FROM awarding WHERE due_at IS NOT NULL';
  return selectNextDue(pool, { name: 'awardings-next-due', text });
}

/** The id of the tender of a contract; undefined for an unknown contract. */
export async function tenderOfContract(pool: pg.Pool, contractId: string): Promise<string | undefined> {
  const { rows } = await pool.query<{ tender_id: string }>({
    name: 'contract-place',
    text: 'SELECT tender_id FROM contract_place WHERE contract_id = $1',
    values: [contractId],
  });
  return rows[0]?.tender_id;
}
