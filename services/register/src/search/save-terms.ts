import { textArray } from '@procurement/kit/database/text-array';
import type pg from 'pg';
import type { TextTerms } from './domain/search-terms.ts';

/** What terms are made from. */
export interface IndexedTender {
  readonly id: string;
  readonly listed: boolean;
  /** Undefined when the text was not read. */
  readonly derived: TextTerms | undefined;
}

/** What search stores in the row of a tender. Undefined: it stays as it is, but a tender that is not listed has no hash. */
export interface TermsMark {
  readonly id: string;
  readonly hash: string | undefined;
  readonly summary: string | undefined;
}

const LEXEMES_SQL = `SELECT tsvector_to_array(words) AS lexemes FROM tender_words WHERE id = ANY($1::uuid[])`;
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
  const read = tenders.flatMap(({ id, listed, derived }) =>
    listed && derived !== undefined ? [{ id, ...derived }] : [],
  );
  const changed = read.filter(({ id, hash }) => stored.get(id)?.hash !== hash);
  if (changed.length > 0) await replaceTerms(tx, changed, stored);
  const marks = new Map(read.map(({ id, hash, summary }) => [id, { id, hash, summary }]));
  return tenders.map(({ id }) => marks.get(id) ?? { id, hash: undefined, summary: undefined });
}

/** Takes the terms of tenders out of search and out of the dictionaries. */
export async function removeTerms(tx: pg.PoolClient, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const before = await storedLexemes(tx, ids);
  await saveCounts(tx, differences(before, []), { ids: [], vectors: [] });
  await tx.query({ name: 'terms-remove', text: REMOVE_SQL, values: [ids] });
}

async function storedLexemes(tx: pg.PoolClient, ids: readonly string[]): Promise<readonly Lexemes[]> {
  if (ids.length === 0) return [];
  const { rows } = await tx.query<{ lexemes: Lexemes }>({ name: 'terms-before', text: LEXEMES_SQL, values: [ids] });
  return rows.map(({ lexemes }) => lexemes);
}

type ReadTerms = { readonly id: string } & Pick<TextTerms, 'vector'>;

type Lexemes = readonly string[];

async function replaceTerms(
  tx: pg.PoolClient,
  changed: readonly ReadTerms[],
  stored: ReadonlyMap<string, unknown>,
): Promise<void> {
  const ids = changed.map(({ id }) => id);
  // Only what is stored has terms.
  const before = await storedLexemes(
    tx,
    ids.filter((id) => stored.has(id)),
  );
  const after = changed.map(({ vector }) => vector.lexemes);
  await saveCounts(tx, differences(before, after), { ids, vectors: changed.map(({ vector }) => vector.text) });
}

/** Returns by how many tenders the count of each lexeme changes; lexemes without a change are left out. */
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
  await tx.query({ name: 'terms-save', text: TERMS_SQL, values: [...columns, ids, textArray(vectors)] });
  const fewer = all.filter(([, by]) => by < 0).map(([lexeme]) => lexeme);
  if (fewer.length > 0) await tx.query({ name: 'terms-none', text: NONE_SQL, values: [fewer] });
}

function isKey(lexeme: string): boolean {
  return lexeme.startsWith('=');
}
