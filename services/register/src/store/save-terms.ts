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

/** What search stores in the row of a tender. Undefined: it stays as it is, but a tender that is not listed has no hash. */
export interface TermsMark {
  readonly id: string;
  readonly hash: string | undefined;
  readonly summary: string | undefined;
}

const LEXEMES_SQL = `SELECT tsvector_to_array(words) AS lexemes FROM tender_words WHERE id = ANY($1::uuid[])`;
const ENGLISH_SQL = `SELECT word, (ts_lexize('english_stem', word))[1] AS stem FROM unnest($1::text[]) AS word`;
// One row: two lists that have nothing to do with each other, in one round trip.
const BEFORE_SQL = `SELECT (SELECT coalesce(json_agg(lexemes), '[]') FROM (${LEXEMES_SQL}) AS stored) AS lexemes,
  (SELECT coalesce(json_agg(stems), '[]') FROM (${ENGLISH_SQL.replace('$1', '$2')}) AS stems) AS stems`;
const counted = (table: string, column: string, first: number): string => `INSERT INTO ${table} (${column}, tenders)
    SELECT * FROM unnest($${first}::text[], $${first + 1}::int[])
    ON CONFLICT (${column}) DO UPDATE SET tenders = ${table}.tenders + excluded.tenders`;
const TERMS_SQL = `WITH words AS (${counted('word', 'word', 1)}), keys AS (${counted('key_count', 'key', 3)})
  INSERT INTO tender_words (id, words) SELECT id, words::tsvector FROM unnest($5::uuid[], $6::text[]) AS row(id, words)
  ON CONFLICT (id) DO UPDATE SET words = excluded.words`;
const NONE_SQL = `WITH words AS (DELETE FROM word WHERE word = ANY($1::text[]) AND tenders <= 0)
  DELETE FROM key_count WHERE key = ANY($1::text[]) AND tenders <= 0`;
const REMOVE_SQL = 'DELETE FROM tender_words WHERE id = ANY($1::uuid[])';

/**
 * Stores what search finds tenders by, in the caller's transaction, which has locked `follow`. Terms that did not change are not
 * written. A listed tender without a parsed text keeps its terms; one that is not listed loses them.
 */
export async function saveTerms(
  tx: pg.PoolClient,
  tenders: readonly IndexedTender[],
  stored: ReadonlyMap<string, { readonly hash: string | undefined }>,
): Promise<readonly TermsMark[]> {
  await removeTerms(
    tx,
    tenders.filter(({ listed }) => !listed).map(({ id }) => id),
  );
  const read = tenders.flatMap(({ id, listed, tender }) =>
    listed && tender !== undefined ? [{ id, summary: summaryText(tender), ...hashedTerms(tender) }] : [],
  );
  const changed = read.filter(({ id, hash }) => stored.get(id)?.hash !== hash);
  if (changed.length > 0) await replaceTerms(tx, changed);
  const marks = new Map(read.map(({ id, hash, summary }) => [id, { id, hash, summary }]));
  return tenders.map(({ id }) => marks.get(id) ?? { id, hash: undefined, summary: undefined });
}

/** Takes the terms of tenders out of search and out of the dictionaries. */
export async function removeTerms(tx: pg.PoolClient, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const { rows } = await tx.query<{ lexemes: Lexemes }>({ name: 'terms-removed', text: LEXEMES_SQL, values: [ids] });
  const before = rows.map(({ lexemes }) => lexemes);
  await saveCounts(tx, differences(before, []), { ids: [], vectors: [] });
  await tx.query({ name: 'terms-remove', text: REMOVE_SQL, values: [ids] });
}

function hashedTerms(tender: NonNullable<IndexedTender['tender']>) {
  const terms = searchTerms(tender);
  return { terms, hash: createHash('sha256').update(identityOf(terms)).digest('hex') };
}

type ReadTerms = { readonly id: string; readonly terms: ReturnType<typeof searchTerms> };

type Lexemes = readonly string[];

async function replaceTerms(tx: pg.PoolClient, changed: readonly ReadTerms[]): Promise<void> {
  const ids = changed.map(({ id }) => id);
  const latin = latinWords(changed.map(({ terms }) => terms)).filter(isLatin);
  const { rows } = await tx.query<{ lexemes: readonly Lexemes[]; stems: readonly EnglishStem[] }>({
    name: 'terms-before',
    text: BEFORE_SQL,
    values: [ids, latin],
  });
  const english = stemsOf(rows[0]?.stems ?? []);
  const after = changed.map(({ terms }) => lexemesOf(terms, english));
  const vectors = changed.map(({ terms }) => vectorText(terms, english));
  await saveCounts(tx, differences(rows[0]?.lexemes ?? [], after), { ids, vectors });
}

interface EnglishStem {
  readonly word: string;
  /** Null for a stop word. */
  readonly stem: string | null;
}

function stemsOf(stems: readonly EnglishStem[]): ReadonlyMap<string, string> {
  return new Map(stems.flatMap(({ word, stem }) => (stem === null ? [] : [[word, stem] as const])));
}

/** The English stems of Latin words; a stop word has none. */
export async function englishStems(db: pg.PoolClient, words: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const latin = words.filter(isLatin);
  if (latin.length === 0) return new Map();
  const { rows } = await db.query<EnglishStem>({ name: 'english-stems', text: ENGLISH_SQL, values: [latin] });
  return stemsOf(rows);
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

/** Counts, and the vectors of the tenders that are counted. */
async function saveCounts(
  tx: pg.PoolClient,
  changes: ReadonlyMap<string, number>,
  { ids, vectors }: { readonly ids: readonly string[]; readonly vectors: readonly string[] },
): Promise<void> {
  const all = [...changes];
  const [keys, words] = [all.filter(([lexeme]) => isKey(lexeme)), all.filter(([lexeme]) => !isKey(lexeme))];
  const columns = [words, keys].flatMap((own) => [own.map(([lexeme]) => lexeme), own.map(([, by]) => by)]);
  await tx.query({ name: 'terms-save', text: TERMS_SQL, values: [...columns, ids, vectors] });
  const fewer = all.filter(([, by]) => by < 0).map(([lexeme]) => lexeme);
  if (fewer.length > 0) await tx.query({ name: 'terms-none', text: NONE_SQL, values: [fewer] });
}

function isKey(lexeme: string): boolean {
  return lexeme.startsWith('=');
}
