import type pg from 'pg';
import { saveFacts, type CountedTender } from './save-facts.ts';
import { saveTerms, type IndexedTender } from './save-terms.ts';

export type DerivedTender = IndexedTender & CountedTender;

const MARK_SQL = 'UPDATE tender SET indexed = position, counted = position WHERE id = ANY($1::uuid[])';

/** Stores what search and statistics need of tenders, in the caller's transaction, which has locked `follow` and stored the tenders. */
export async function saveDerived(tx: pg.PoolClient, tenders: readonly DerivedTender[]): Promise<void> {
  if (tenders.length === 0) return;
  await saveTerms(tx, tenders);
  await saveFacts(tx, tenders);
  await tx.query({ name: 'tenders-derived', text: MARK_SQL, values: [tenders.map(({ id }) => id)] });
}
