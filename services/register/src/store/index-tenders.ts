import { isRefusedContent, transact } from '@procurement/kit/database/transaction';
import type { Logger } from '@procurement/kit/runtime/log';
import type pg from 'pg';
import { readFollow } from './follow.store.ts';
import { readText } from './read-texts.ts';
import { saveDerived, saveMarks, storedDerived, type DerivedTender } from './save-derived.ts';
import { removeOrphanFacts } from './save-facts.ts';

export interface IndexingDeps {
  readonly pool: pg.Pool;
  readonly log: Logger;
}

export interface IndexedBatch {
  readonly count: number;
  /** The greatest id of the batch; undefined when nothing is left after `after`. */
  readonly last: string | undefined;
}

/** Which tenders: all of them, or those whose terms or facts are older than their text. */
export type IndexedWhich = 'all' | 'stale';

const BATCH = 100;
/** Tenders that an earlier release has stored: without terms, and without facts. */
export const STALE = 'listed AND indexed IS DISTINCT FROM position';
export const UNCOUNTED = 'counted IS DISTINCT FROM position';
const FIRST_ID = '0'.repeat(32);

const idsSql = (where: string): string => `(SELECT id FROM tender WHERE ${where} AND id > $1 ORDER BY id LIMIT $2)`;

/** Each condition by its own index. */
const IDS: Readonly<Record<IndexedWhich, string>> = {
  all: idsSql('true'),
  stale: `(${idsSql(STALE)} UNION ${idsSql(UNCOUNTED)})`,
};

const pageSql = (
  which: IndexedWhich,
): string => `SELECT replace(tender.id::text, '-', '') AS id, listed, is_test AS "isTest",
    created, body, encode(text_hash, 'hex') AS hash, fact
  FROM ${IDS[which]} AS asked JOIN tender USING (id) LEFT JOIN tender_body USING (id)
  LEFT JOIN tender_fact USING (id) ORDER BY tender.id LIMIT $2`;

interface Row {
  readonly id: string;
  readonly listed: boolean;
  readonly isTest: boolean;
  readonly created: string;
  readonly body: string | null;
  readonly hash: string | null;
  readonly fact: string | null;
}

/**
 * Makes the terms and facts of some tenders from their stored texts, in one transaction under the lock of the follower. It may end at any
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
      await readFollow(tx, 'lock');
      const { rows } = await tx.query<Row>(pageSql(which), [after, limit]);
      const tenders: DerivedTender[] = [];
      for (const row of rows) tenders.push(await derivedTender(tx, row));
      const marks = await saveDerived(tx, tenders, storedDerived(rows));
      await saveMarks(tx, marks);
      return { count: rows.length, last: rows.at(-1)?.id };
    });
  } catch (error) {
    if (!isRefusedContent(error)) throw error;
    if (limit > 1) return indexBatch({ pool, log }, which, after, Math.ceil(limit / 2));
    return skipRefused({ pool, log }, which, after, error);
  }
}

/** Removes the facts of tenders that are not stored any more. */
export async function removeOrphans({ pool }: IndexingDeps): Promise<void> {
  const isMore = async (): Promise<boolean> =>
    transact(pool, async (tx) => {
      await readFollow(tx, 'lock');
      return (await removeOrphanFacts(tx)) > 0;
    });
  while (await isMore());
}

/** Makes the terms and facts of all that are left, batch by batch. */
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
    await tx.query('UPDATE tender SET indexed = position, counted = position WHERE id = ANY($1::uuid[])', [
      rows.map(({ id }) => id),
    ]);
    return rows[0]?.id;
  });
  log.error({ err: error, tenderId: last }, 'terms and facts of a tender not stored');
  return { count: 1, last };
}

async function derivedTender(tx: pg.PoolClient, { id, listed, isTest, created, body }: Row): Promise<DerivedTender> {
  const derived = body === null ? undefined : (await readText(tx, body)).tender?.derived;
  return { id, listed, isTest, created: Number(created), derived };
}
