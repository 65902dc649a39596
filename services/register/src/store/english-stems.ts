import type pg from 'pg';
import { isLatin } from '../domain/search-terms.ts';

// The dictionary is part of PostgreSQL.
const ENGLISH_SQL = `SELECT word, (ts_lexize('english_stem', word))[1] AS stem FROM unnest($1::text[]) AS word`;
const WORDS_MAX = 20_000;

/** Null for a stop word. */
const known = new Map<string, string | null>();

interface EnglishStem {
  readonly word: string;
  readonly stem: string | null;
}

/** The English stems of Latin words; a stop word has none. */
export async function englishStems(
  db: pg.Pool | pg.PoolClient,
  words: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  return stemsOf(await askStems(db, words.filter(isLatin)));
}

/** The same of Latin words of a text, most of which were in texts before: those are not asked for again. */
export async function cachedStems(
  db: pg.Pool | pg.PoolClient,
  words: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (words.every((word) => known.has(word)))
    return stemsOf(words.map((word) => ({ word, stem: known.get(word) ?? null })));
  // All of them, because another text may empty the table meanwhile.
  const stems = await askStems(db, words);
  if (known.size > WORDS_MAX) known.clear();
  for (const { word, stem } of stems) known.set(word, stem);
  return stemsOf(stems);
}

function stemsOf(stems: readonly EnglishStem[]): ReadonlyMap<string, string> {
  return new Map(stems.flatMap(({ word, stem }) => (stem === null ? [] : [[word, stem] as const])));
}

async function askStems(db: pg.Pool | pg.PoolClient, words: readonly string[]): Promise<readonly EnglishStem[]> {
  if (words.length === 0) return [];
  const { rows } = await db.query<EnglishStem>({ name: 'english-stems', text: ENGLISH_SQL, values: [words] });
  return rows;
}
