import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JsonObject } from '@procurement/contracts/reading/json-object';
import type pg from 'pg';
import type { Publication } from '../revisions/domain/publication.ts';
import { parseText, type DerivedText, type ReadTender, type TextReading } from './domain/read-text.ts';
import {
  formatIdentity,
  latinWords,
  searchTerms,
  summaryText,
  termsVector,
  type SearchTerms,
} from '../search/domain/search-terms.ts';
import { contractTotals, presentContracts } from '../revisions/domain/contract-totals.ts';
import type { TenderColumns } from '../revisions/domain/tender-columns.ts';
import { contributionSource, type ContributionSource } from '../statistics/domain/contribution.ts';
import { englishStems } from '../search/english-stems.ts';

export type TextReadings = ReadonlyMap<Publication, TextReading>;

/** A text, and what its terms are made of; they wait for the stems of its words. */
interface ParsedText {
  readonly reading: TextReading;
  readonly source?: DerivedSource | undefined;
}

interface DerivedSource {
  readonly terms: SearchTerms;
  readonly summary: string;
  readonly contribution: ContributionSource;
}

/**
 * Reads the texts of publications, the newest first: only the newest readable text of a tender has what search and statistics store.
 * Between two of them the process answers requests, and a transaction that runs beside goes on. The database is asked once for the stems of
 * all words.
 */
export async function readTexts(
  db: pg.Pool | pg.PoolClient,
  publications: readonly Publication[],
  { keepsParsed }: { readonly keepsParsed: boolean },
): Promise<TextReadings> {
  const parsed = new Map<Publication, ParsedText>();
  const derived = new Set<string>();
  for (const publication of publications.toReversed()) {
    const { id, text } = publication;
    if (text === undefined) continue;
    if (parsed.size > 0) await nextTurn();
    const one = parse(text, { keepsParsed, derives: !derived.has(id) });
    if (one.source !== undefined) derived.add(id);
    parsed.set(publication, one);
  }
  const stems = await readStems(db, [...parsed.values()]);
  const readings = new Map<Publication, TextReading>();
  for (const [publication, one] of parsed) {
    if (readings.size > 0) await nextTurn();
    readings.set(publication, withTerms(one, stems));
  }
  return readings;
}

/** Reads one text and does not keep the parsed text. */
export async function readText(db: pg.Pool | pg.PoolClient, text: string): Promise<TextReading> {
  const parsed = parse(text, { keepsParsed: false, derives: true });
  return withTerms(parsed, await readStems(db, [parsed]));
}

/** What search and statistics store of a public tender. */
export async function derivedText(
  db: pg.Pool | pg.PoolClient,
  tender: JsonObject,
  columns: TenderColumns,
): Promise<DerivedText> {
  const source = derivedSource(tender, columns);
  return deriveText(source, await englishStems(db, latinWords(source.terms)));
}

function parse(
  text: string,
  { keepsParsed, derives }: { readonly keepsParsed: boolean; readonly derives: boolean },
): ParsedText {
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 32);
  const size = { digest, bytes: Buffer.byteLength(text) };
  const read = readOrError(text);
  if ('error' in read) return { reading: { ...size, tender: undefined, error: read.error } };
  const { parsed, ...rest } = read;
  const tender: ReadTender = { ...rest, derived: undefined, ...(keepsParsed ? { parsed } : {}) };
  return { reading: { ...size, tender }, source: derives ? derivedSource(parsed, rest.columns) : undefined };
}

function readOrError(text: string): ReturnType<typeof parseText> | { readonly error: unknown } {
  try {
    return parseText(text);
  } catch (error) {
    return { error };
  }
}

function derivedSource(tender: JsonObject, columns: TenderColumns): DerivedSource {
  const contracts = presentContracts(tender);
  const totals = contractTotals(contracts, columns.currency);
  return {
    terms: searchTerms(tender, columns, contracts),
    summary: summaryText(tender, columns, totals),
    contribution: contributionSource(tender, columns, totals),
  };
}

async function readStems(
  db: pg.Pool | pg.PoolClient,
  texts: readonly ParsedText[],
): Promise<ReadonlyMap<string, string>> {
  const words = texts.flatMap(({ source }) => (source === undefined ? [] : latinWords(source.terms)));
  return englishStems(db, [...new Set(words)]);
}

function withTerms({ reading, source }: ParsedText, stems: ReadonlyMap<string, string>): TextReading {
  const { tender } = reading;
  if (tender === undefined || source === undefined) return reading;
  return { ...reading, tender: { ...tender, derived: deriveText(source, stems) } };
}

function deriveText({ terms, summary, contribution }: DerivedSource, stems: ReadonlyMap<string, string>): DerivedText {
  const vector = termsVector(terms, stems);
  return { vector, summary, contribution, hash: createHash('sha256').update(formatIdentity(vector)).digest('hex') };
}
