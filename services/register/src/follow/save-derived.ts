import type pg from 'pg';
import { saveContributions, type CountedTender } from '../statistics/save-contributions.ts';
import { saveTerms, type IndexedTender, type TermsMark } from '../search/save-terms.ts';

export type DerivedTender = IndexedTender & CountedTender;

/** What was derived from the text before: by the id of the tender. Has every tender that is stored. */
export type StoredDerived = ReadonlyMap<
  string,
  { readonly hash: string | undefined; readonly contribution: string | undefined }
>;

const MARK_SQL = `UPDATE tender SET summary = coalesce(row.summary, tender.summary),
    text_hash = CASE WHEN listed THEN coalesce(decode(row.hash, 'hex'), text_hash) END
  FROM unnest($1::uuid[], $2::text[], $3::text[]) AS row (id, hash, summary) WHERE tender.id = row.id`;

/**
 * Stores what search and statistics need of tenders, in the caller's transaction, which has locked `follow`. Returns what belongs to
 * the rows of the tenders, for the caller to store with them.
 */
export async function saveDerived(
  tx: pg.PoolClient,
  tenders: readonly DerivedTender[],
  stored: StoredDerived,
): Promise<readonly TermsMark[]> {
  await saveContributions(tx, tenders, stored);
  return saveTerms(tx, tenders, stored);
}

/** Stores the marks in rows that are there already. */
export async function saveMarks(tx: pg.PoolClient, marks: readonly TermsMark[]): Promise<void> {
  if (marks.length === 0) return;
  const values = [marks.map(({ id }) => id), marks.map(({ hash }) => hash), marks.map(({ summary }) => summary)];
  await tx.query({ name: 'tenders-derived', text: MARK_SQL, values });
}

export function storedDerived(
  rows: readonly { readonly id: string; readonly hash: string | null; readonly contribution: string | null }[],
): StoredDerived {
  return new Map(
    rows.map(({ id, hash, contribution }) => [
      id,
      { hash: hash ?? undefined, contribution: contribution ?? undefined },
    ]),
  );
}
