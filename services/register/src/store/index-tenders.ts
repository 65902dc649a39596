import { sqlState, transact } from '@procurement/kit/database/transaction';
import type { Logger } from '@procurement/kit/runtime/log';
import type pg from 'pg';
import { parsePublicTender, type Members } from '../domain/tender-columns.ts';
import { readFollow } from './follow.store.ts';
import { saveTerms } from './save-terms.ts';

export interface IndexingDeps {
  readonly pool: pg.Pool;
  readonly log: Logger;
}

export interface IndexedBatch {
  readonly count: number;
  /** The greatest id of the batch; undefined when nothing is left after `after`. */
  readonly last: string | undefined;
}

/** Which tenders: all listed ones, or those whose terms are older than their text. */
export type IndexedWhich = 'all' | 'stale';

const BATCH = 100;
export const STALE = 'listed AND indexed IS DISTINCT FROM position';
const FIRST_ID = '0'.repeat(32);

const pageSql = (which: IndexedWhich): string => `SELECT replace(tender.id::text, '-', '') AS id, body
  FROM tender LEFT JOIN tender_body ON tender_body.id = tender.id
  WHERE ${which === 'all' ? 'listed' : STALE} AND tender.id > $1 ORDER BY tender.id LIMIT $2`;

interface Row {
  readonly id: string;
  readonly body: string | null;
}

/**
 * Makes the terms of some tenders from their stored texts, in one transaction under the lock of the follower. It may end at any
 * point and be called again. A tender that the database refuses is left without new terms and logged: it stops no other.
 */
export async function indexBatch(
  { pool, log }: IndexingDeps,
  which: IndexedWhich,
  after = FIRST_ID,
  limit = BATCH,
): Promise<IndexedBatch> {
  try {
    return await transact(pool, async (tx) => {
      await readFollow(tx, true);
      const { rows } = await tx.query<Row>(pageSql(which), [after, limit]);
      await saveTerms(tx, rows.map(indexedTender));
      return { count: rows.length, last: rows.at(-1)?.id };
    });
  } catch (error) {
    // Data exception, constraint, program limit: the content is the reason.
    if (!/^(?:22|23|54)/.test(sqlState(error) ?? '')) throw error;
    if (limit > 1) return indexBatch({ pool, log }, which, after, Math.ceil(limit / 2));
    return skipRefused({ pool, log }, which, after, error);
  }
}

/** Makes the terms of all that are left, batch by batch. */
export async function indexAll(deps: IndexingDeps, which: IndexedWhich, after?: string): Promise<number> {
  let [count, last] = [0, after];
  for (;;) {
    const batch = await indexBatch(deps, which, last);
    count += batch.count;
    if (batch.last === undefined) return count;
    last = batch.last;
  }
}

async function skipRefused(
  { pool, log }: IndexingDeps,
  which: IndexedWhich,
  after: string,
  error: unknown,
): Promise<IndexedBatch> {
  const last = await transact(pool, async (tx) => {
    const { rows } = await tx.query<Row>(pageSql(which), [after, 1]);
    await tx.query('UPDATE tender SET indexed = position WHERE id = ANY($1::uuid[])', [rows.map(({ id }) => id)]);
    return rows[0]?.id;
  });
  log.error({ err: error, tenderId: last }, 'terms of a tender not stored');
  return { count: 1, last };
}

function indexedTender({ id, body }: Row): { id: string; listed: boolean; tender: Members | undefined } {
  return { id, listed: true, tender: body === null ? undefined : readOrUndefined(body) };
}

/** A text that cannot be read is stored unread, with its dead letter, by the follower. */
function readOrUndefined(body: string): Members | undefined {
  try {
    return parsePublicTender(body);
  } catch {
    return undefined;
  }
}
