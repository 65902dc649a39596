import { isRefusedContent, transact } from '@procurement/kit/database/transaction';
import type { Logger } from '@procurement/kit/runtime/log';
import type pg from 'pg';
import { readFollow } from './follow.store.ts';
import { readText } from './read-texts.ts';
import { saveDerived, saveMarks, storedDerived, type DerivedTender } from './save-derived.ts';

export interface IndexingDeps {
  readonly pool: pg.Pool;
  readonly log: Logger;
}

export interface IndexedBatch {
  readonly count: number;
  /** The greatest id of the batch; undefined when nothing is left after `after`. */
  readonly last: string | undefined;
}

const BATCH = 100;
const FIRST_ID = '0'.repeat(32);

const PAGE = `SELECT replace(tender.id::text, '-', '') AS id, listed, is_test AS "isTest",
    created, body, encode(text_hash, 'hex') AS hash, contribution
  FROM (SELECT id FROM tender WHERE id > $1 ORDER BY id LIMIT $2) AS asked JOIN tender USING (id)
  LEFT JOIN tender_body USING (id) LEFT JOIN tender_contribution USING (id) ORDER BY tender.id`;

interface Row {
  readonly id: string;
  readonly listed: boolean;
  readonly isTest: boolean;
  readonly created: string;
  readonly body: string | null;
  readonly hash: string | null;
  readonly contribution: string | null;
}

/**
 * Makes the terms and contributions of some tenders from their stored texts, in one transaction under the lock of the follower. It may end at any
 * point and be called again. A tender that the database refuses is left without new terms and logged: it stops no other.
 */
export async function indexBatch({ pool, log }: IndexingDeps, after = FIRST_ID, limit = BATCH): Promise<IndexedBatch> {
  try {
    return await transact(pool, async (tx) => {
      await readFollow(tx, 'lock');
      const { rows } = await tx.query<Row>(PAGE, [after, limit]);
      const tenders: DerivedTender[] = [];
      for (const row of rows) tenders.push(await derivedTender(tx, row));
      const marks = await saveDerived(tx, tenders, storedDerived(rows));
      await saveMarks(tx, marks);
      return { count: rows.length, last: rows.at(-1)?.id };
    });
  } catch (error) {
    if (!isRefusedContent(error)) throw error;
    if (limit > 1) return indexBatch({ pool, log }, after, Math.ceil(limit / 2));
    return skipRefused({ pool, log }, after, error);
  }
}

async function skipRefused({ pool, log }: IndexingDeps, after: string, error: unknown): Promise<IndexedBatch> {
  const { rows } = await pool.query<Row>(PAGE, [after, 1]);
  const last = rows[0]?.id;
  log.error({ err: error, tenderId: last }, 'terms and contributions of a tender not stored');
  return { count: 1, last };
}

async function derivedTender(tx: pg.PoolClient, { id, listed, isTest, created, body }: Row): Promise<DerivedTender> {
  const derived = body === null ? undefined : (await readText(tx, body)).tender?.derived;
  return { id, listed, isTest, created: Number(created), derived };
}
