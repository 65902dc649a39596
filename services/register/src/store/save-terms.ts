import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { PlannedTender } from '../domain/revision-plan.ts';
import {
  identityOf,
  isLatin,
  latinWords,
  lexemesOf,
  searchTerms,
  summaryText,
  vectorText,
} from '../domain/search-terms.ts';

/** What terms are made from. */
export type IndexedTender = Pick<PlannedTender, 'id' | 'listed' | 'tender'>;

const HASHES_SQL = `SELECT replace(id::text, '-', '') AS id, encode(text_hash, 'hex') AS hash FROM tender
  WHERE id = ANY($1::uuid[])`;
const LEXEMES_SQL = `SELECT replace(id::text, '-', '') AS id, tsvector_to_array(words) AS lexemes FROM tender_words
  WHERE id = ANY($1::uuid[])`;
const ENGLISH_SQL = `SELECT word, (ts_lexize('english_stem', word))[1] AS stem FROM unnest($1::text[]) AS word`;
const WORDS_SQL = `INSERT INTO tender_words (id, words) SELECT id, words::tsvector FROM unnest($1::uuid[], $2::text[]) AS row(id, words)
  ON CONFLICT (id) DO UPDATE SET words = excluded.words`;
const REMOVE_SQL = 'DELETE FROM tender_words WHERE id = ANY($1::uuid[])';
const MARK_SQL = `UPDATE tender SET text_hash = decode(row.hash, 'hex'), summary = row.summary
  FROM unnest($1::uuid[], $2::text[], $3::text[]) AS row(id, hash, summary) WHERE tender.id = row.id`;
const COUNTERS = [
  { table: 'word', column: 'word', isOwn: (lexeme: string) => !isKey(lexeme) },
  { table: 'key_count', column: 'key', isOwn: isKey },
] as const;

/**
 * Stores what search finds tenders by, in the caller's transaction, which has locked `follow` and stored the tenders. Terms that
 * did not change are not written. A listed tender without a parsed text keeps its terms; one that is not listed loses them.
 */
export async function saveTerms(tx: pg.PoolClient, tenders: readonly IndexedTender[]): Promise<void> {
  if (tenders.length === 0) return;
  await removeTerms(
    tx,
    tenders.filter(({ listed }) => !listed).map(({ id }) => id),
  );
  const read = tenders.flatMap(({ id, listed, tender }) =>
    listed && tender !== undefined ? [{ id, summary: summaryText(tender), ...hashedTerms(tender) }] : [],
  );
  const hashes = await hashesOf(tx, read);
  const changed = read.filter(({ id, hash }) => hashes.get(id) !== hash);
  if (changed.length > 0) await replaceTerms(tx, changed);
  if (read.length > 0)
    await tx.query({
      name: 'terms-mark',
      text: MARK_SQL,
      values: [read.map(({ id }) => id), read.map(({ hash }) => hash), read.map(({ summary }) => summary)],
    });
}

/** Takes the terms of tenders out of search and out of the dictionaries. */
export async function removeTerms(tx: pg.PoolClient, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const before = await lexemesBefore(tx, ids);
  await saveCounts(tx, differences([...before.values()], []));
  await tx.query(REMOVE_SQL, [ids]);
  await tx.query('UPDATE tender SET text_hash = NULL WHERE id = ANY($1::uuid[])', [ids]);
}

function hashedTerms(tender: NonNullable<IndexedTender['tender']>) {
  const terms = searchTerms(tender);
  return { terms, hash: createHash('sha256').update(identityOf(terms)).digest('hex') };
}

type ReadTerms = { readonly id: string; readonly terms: ReturnType<typeof searchTerms> };

async function replaceTerms(tx: pg.PoolClient, changed: readonly ReadTerms[]): Promise<void> {
  const ids = changed.map(({ id }) => id);
  const english = await englishStems(tx, latinWords(changed.map(({ terms }) => terms)));
  const before = await lexemesBefore(tx, ids);
  const after = changed.map(({ terms }) => lexemesOf(terms, english));
  await saveCounts(tx, differences([...before.values()], after));
  const vectors = changed.map(({ terms }) => vectorText(terms, english));
  await tx.query({ name: 'terms-save', text: WORDS_SQL, values: [ids, vectors] });
}

/** The English stems of Latin words; a stop word has none. */
export async function englishStems(db: pg.PoolClient, words: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const latin = words.filter(isLatin);
  if (latin.length === 0) return new Map();
  const { rows } = await db.query<{ word: string; stem: string | null }>({
    name: 'english-stems',
    text: ENGLISH_SQL,
    values: [latin],
  });
  return new Map(rows.flatMap(({ word, stem }) => (stem === null ? [] : [[word, stem] as const])));
}

async function hashesOf(tx: pg.PoolClient, tenders: readonly { readonly id: string }[]) {
  if (tenders.length === 0) return new Map<string, string | null>();
  const { rows } = await tx.query<{ id: string; hash: string | null }>({
    name: 'terms-hashes',
    text: HASHES_SQL,
    values: [tenders.map(({ id }) => id)],
  });
  return new Map(rows.map(({ id, hash }) => [id, hash]));
}

async function lexemesBefore(tx: pg.PoolClient, ids: readonly string[]) {
  const { rows } = await tx.query<{ id: string; lexemes: readonly string[] }>({
    name: 'terms-before',
    text: LEXEMES_SQL,
    values: [ids],
  });
  return new Map(rows.map(({ id, lexemes }) => [id, lexemes]));
}

/** By how many tenders the count of each lexeme changes; those without a change are left out. */
function differences(
  before: readonly Iterable<string>[],
  after: readonly Iterable<string>[],
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const add = (lexemes: Iterable<string>, by: number): void => {
    for (const lexeme of lexemes) counts.set(lexeme, (counts.get(lexeme) ?? 0) + by);
  };
  for (const lexemes of before) add(lexemes, -1);
  for (const lexemes of after) add(lexemes, 1);
  return new Map([...counts].filter(([, by]) => by !== 0));
}

async function saveCounts(tx: pg.PoolClient, changes: ReadonlyMap<string, number>): Promise<void> {
  for (const { table, column, isOwn } of COUNTERS) {
    const own = [...changes].filter(([lexeme]) => isOwn(lexeme));
    if (own.length === 0) continue;
    const lexemes = own.map(([lexeme]) => lexeme);
    await tx.query({
      name: `count-${table}`,
      text: `INSERT INTO ${table} (${column}, tenders) SELECT * FROM unnest($1::text[], $2::int[])
        ON CONFLICT (${column}) DO UPDATE SET tenders = ${table}.tenders + excluded.tenders`,
      values: [lexemes, own.map(([, by]) => by)],
    });
    const fewer = own.filter(([, by]) => by < 0).map(([lexeme]) => lexeme);
    if (fewer.length === 0) continue;
    await tx.query({
      name: `count-none-${table}`,
      text: `DELETE FROM ${table} WHERE ${column} = ANY($1::text[]) AND tenders <= 0`,
      values: [fewer],
    });
  }
}

function isKey(lexeme: string): boolean {
  return lexeme.startsWith('=');
}
