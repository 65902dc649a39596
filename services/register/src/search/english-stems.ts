import type pg from 'pg';
import { isLatin } from './domain/search-terms.ts';

// The dictionary is part of PostgreSQL.
const ENGLISH_SQL = `SELECT word, (ts_lexize('english_stem', word))[1] AS stem FROM unnest($1::text[]) AS word`;

/** The English stems of Latin words; a stop word has none. */
export async function englishStems(
  db: pg.Pool | pg.PoolClient,
  words: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const latin = words.filter(isLatin);
  if (latin.length === 0) return new Map();
  const query = { name: 'english-stems', text: ENGLISH_SQL, values: [latin] };
  const { rows } = await db.query<{ word: string; stem: string | null }>(query);
  return new Map(rows.flatMap(({ word, stem }) => (stem === null ? [] : [[word, stem] as const])));
}
