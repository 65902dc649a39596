import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JsonObject } from '@procurement/contracts/reading/json-object';
import type pg from 'pg';
import type { Publication } from '../domain/publication.ts';
import { parseText, type DerivedText, type ReadTender, type TextReading } from '../domain/read-text.ts';
import { identityOf, latinWords, searchTerms, summaryText, termsVector } from '../domain/search-terms.ts';
import type { TenderColumns } from '../domain/tender-columns.ts';
import { factSource } from '../domain/tender-fact.ts';
import { cachedStems } from './english-stems.ts';

export type TextReadings = ReadonlyMap<Publication, TextReading>;

/**
 * Reads the texts of publications, the newest first: only the newest readable text of a tender has what search and statistics store.
 * Between two of them the process answers requests, and a transaction that runs beside goes on. The database is asked for stems of words
 * that are new to this process.
 */
export async function readTexts(
  db: pg.Pool | pg.PoolClient,
  publications: readonly Publication[],
  { keepsParsed }: { readonly keepsParsed: boolean },
): Promise<TextReadings> {
  const readings = new Map<Publication, TextReading>();
  const derived = new Set<string>();
  for (const publication of publications.toReversed()) {
    const { id, text } = publication;
    if (text === undefined) continue;
    if (readings.size > 0) await nextTurn();
    const reading = await readText(db, text, { keepsParsed, derives: !derived.has(id) });
    if (reading.tender !== undefined) derived.add(id);
    readings.set(publication, reading);
  }
  return readings;
}

/** Without the parsed text, unless it is wanted. */
export async function readText(
  db: pg.Pool | pg.PoolClient,
  text: string,
  { keepsParsed = false, derives = true } = {},
): Promise<TextReading> {
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 32);
  const size = { digest, bytes: Buffer.byteLength(text) };
  const read = readOrError(text);
  if ('error' in read) return { ...size, tender: undefined, error: read.error };
  const { parsed, ...rest } = read;
  const derived = derives ? await derivedText(db, parsed, rest.columns) : undefined;
  const tender: ReadTender = { ...rest, derived };
  return { ...size, tender: keepsParsed ? { ...tender, parsed } : tender };
}

function readOrError(text: string): ReturnType<typeof parseText> | { readonly error: unknown } {
  try {
    return parseText(text);
  } catch (error) {
    return { error };
  }
}

/** What search and statistics store of a public tender. */
export async function derivedText(
  db: pg.Pool | pg.PoolClient,
  tender: JsonObject,
  columns: TenderColumns,
): Promise<DerivedText> {
  const terms = searchTerms(tender, columns);
  const vector = termsVector(terms, await cachedStems(db, latinWords(terms)));
  return {
    vector,
    summary: summaryText(tender, columns),
    hash: createHash('sha256').update(identityOf(vector)).digest('hex'),
    fact: factSource(tender, columns),
  };
}
