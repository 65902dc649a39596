import { ProblemError } from '@procurement/kit/runtime/problem-error';
import type pg from 'pg';
import {
  candidatesMax,
  countedLexemes,
  prefixRange,
  rankQueries,
  tsqueryText,
  unknownWords,
  withEnglishStems,
  type Clause,
} from './domain/search-query.ts';
import type { Facet } from './domain/search-parameters.ts';
import { boundedRead, isCanceled, type Run } from '../requests/bounded-read.ts';
import { completePosition } from '../revisions/complete-position.ts';
import { englishStems } from './english-stems.ts';
import { LIMITS } from './search-limits.ts';
import type { PageStart } from './search-cursor.ts';
import type { SearchQuestion, SearchRequest } from './search-request.ts';
import { candidatesPage, buildCounts, isRanked, walkEnd, walkPage } from './search-statements.ts';

export interface FoundRow {
  readonly id: string;
  readonly number: string | null;
  readonly position: number;
  readonly created: number;
  readonly isTest: boolean;
  readonly status: string;
  /** JSON text. */
  readonly summary: string | null;
  /** The value of the sort. */
  readonly at: string;
  /** The public text, when it was asked for. */
  readonly body?: string | null;
}

export interface FacetCount {
  readonly key: string;
  readonly count: number;
}

export interface Counts {
  readonly count: number;
  readonly isExact: boolean;
  readonly facets: Readonly<Partial<Record<Facet, readonly FacetCount[]>>>;
}

export interface SearchResult {
  /** Up to which everything is in it. */
  readonly position: bigint;
  readonly rows: readonly FoundRow[];
  /** Where the next page begins; undefined at the end. */
  readonly next: PageStart | undefined;
  /** Undefined unless asked for. */
  readonly counts: Counts | undefined;
  /** Similar words for those that occur nowhere; undefined when there are none. */
  readonly spelling: Spelling | undefined;
}

type Spelling = Readonly<Record<string, readonly string[]>>;

export interface SearchStore {
  /** Throws 422 when it would take too long, and 503 while a back-fill runs. */
  search(question: SearchQuestion): Promise<SearchResult>;
}

// The planner chooses between no forms: each statement has one index to use.
const SETTINGS = 'SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off';
const COUNTS = `SELECT word AS lexeme, tenders FROM word WHERE word = ANY($1::text[])
  UNION ALL SELECT key, tenders FROM key_count WHERE key = ANY($1::text[])`;
const PREFIX = `SELECT coalesce(sum(tenders), 0)::int AS tenders, count(*)::int AS words FROM (
  SELECT tenders FROM word WHERE word ~>=~ $1 AND word ~<~ $2 LIMIT ${LIMITS.prefixWords + 1}) AS found`;
// Stems are no words. Three, by the trigrams that they share.
const SIMILAR = `SELECT asked.word AS asked, near.word FROM unnest($1::text[]) AS asked (word) CROSS JOIN LATERAL (
  SELECT word, similarity(word, asked.word) AS likeness, tenders FROM word WHERE word % asked.word AND word NOT LIKE '~%'
  ORDER BY likeness DESC, tenders DESC, word LIMIT 3) AS near ORDER BY likeness DESC, tenders DESC, near.word`;
const BODIES = `SELECT coalesce(until <= $2 OR n = 1, true) AS fits, CASE WHEN until <= $2 OR n = 1 THEN body END AS body
  FROM (SELECT n, body, sum(octet_length(body)) OVER (ORDER BY n) AS until
    FROM unnest($1::uuid[]) WITH ORDINALITY AS asked (id, n) LEFT JOIN tender_body USING (id)) AS sized ORDER BY n`;

export function searchStore(pool: pg.Pool): SearchStore {
  return {
    search: async (question) => boundedRead(pool, SETTINGS, async (run, client) => searchWithin(client, run, question)),
  };
}

async function searchWithin(client: pg.PoolClient, run: Run, question: SearchQuestion): Promise<SearchResult> {
  const position = await completePosition(run);
  const english = await englishStems(client, countedLexemes(question.clauses).lexemes);
  const clauses = withEnglishStems(question.clauses, english);
  const request = { ...question, clauses, tsquery: tsqueryText(clauses), rank: rankQueries(clauses) };
  const lexemes = await lexemeCounts(run, clauses);
  const max = candidatesMax(clauses, lexemes);
  const found =
    (await byShortWalk(run, request, max)) ?? (await byCandidates(run, request, max)) ?? (await byWalk(run, request));
  const shown = question.isExpanded ? await withBodies(run, found) : found;
  return { position, ...shown, spelling: await spelling(run, unknownWords(clauses, lexemes)) };
}

type Found = Omit<SearchResult, 'position' | 'spelling'>;

/** Adds texts, as many as fit; the next page begins with the others. */
async function withBodies(run: Run, found: Found): Promise<Found> {
  const ids = found.rows.map(({ id }) => id);
  const texts = await run<{ fits: boolean; body: string | null }>({ text: BODIES, values: [ids, LIMITS.textBytes] });
  const rows = found.rows.flatMap((row, n) => (texts[n]?.fits === true ? [{ ...row, body: texts[n].body }] : []));
  return { ...found, rows, next: rows.length === found.rows.length ? found.next : rows.at(-1) };
}

/** The last statements of a search: without the time for them, the answer comes without them. */
async function spelling(run: Run, words: readonly string[]): Promise<Spelling | undefined> {
  if (words.length === 0) return undefined;
  try {
    const found = await run<{ asked: string; word: string }>({ text: SIMILAR, values: [words] });
    const of = (asked: string): readonly string[] => found.filter((one) => one.asked === asked).map(({ word }) => word);
    const similar = words.map((word) => [word, of(word)] as const).filter(([, others]) => others.length > 0);
    return similar.length === 0 ? undefined : Object.fromEntries(similar);
  } catch (error) {
    if (isCanceled(error) || error instanceof ProblemError) return undefined;
    throw error;
  }
}

/**
 * Many candidates often fill a page by the first rows of the order, without a look at each of them. Undefined when they do not, and
 * when candidates are few or too many.
 */
async function byShortWalk(run: Run, request: SearchRequest, max: number): Promise<Found | undefined> {
  const { candidates, share } = LIMITS.walkedBefore;
  if (isRanked(request) || max < candidates || max > LIMITS.candidates) return undefined;
  const [page] = await run<{ rows: readonly FoundRow[] }>(walkPage(request, Math.floor(max * share)));
  const { rows, next } = cutPage(page?.rows ?? [], request.limit);
  return next && { rows, next, counts: await counts(run, request, 'candidates') };
}

/** Undefined when there are too many candidates, or nothing is required of them. */
async function byCandidates(run: Run, request: SearchRequest, max: number): Promise<Found | undefined> {
  if (max > LIMITS.candidates) return undefined;
  const [page] = await run<{ candidates: number; rows: readonly FoundRow[] }>(candidatesPage(request));
  // The counts of words are of another moment than the tenders only after a fault; the limit holds even then.
  if (page === undefined || page.candidates > LIMITS.candidates) return undefined;
  const { rows, next } = cutPage(page.rows, request.limit);
  return { rows, next, counts: await counts(run, request, 'candidates') };
}

/** A page may be short: the next one goes on where the walk has stopped. */
async function byWalk(run: Run, request: SearchRequest): Promise<Found> {
  const [page] = await run<{ rows: readonly FoundRow[] }>(walkPage(request));
  const { rows, next } = cutPage(page?.rows ?? [], request.limit);
  const [end] =
    next === undefined && !isRanked(request) ? await run<{ at: string; id: string }>(walkEnd(request, true)) : [next];
  return { rows, next: end, counts: await counts(run, request, 'walk') };
}

function cutPage(found: readonly FoundRow[], limit: number): Pick<SearchResult, 'rows' | 'next'> {
  const rows = found.slice(0, limit);
  return { rows, next: found.length > limit ? rows.at(-1) : undefined };
}

async function lexemeCounts(run: Run, clauses: readonly Clause[]): Promise<ReadonlyMap<string, number>> {
  const { lexemes, prefixes } = countedLexemes(clauses);
  const counted = new Map<string, number>();
  if (lexemes.length > 0)
    for (const row of await run<{ lexeme: string; tenders: number }>({ text: COUNTS, values: [lexemes] }))
      counted.set(row.lexeme, row.tenders);
  for (const prefix of prefixes) {
    const [row] = await run<{ tenders: number; words: number }>({ text: PREFIX, values: prefixRange(prefix) });
    const isMany = row === undefined || row.words > LIMITS.prefixWords;
    counted.set(`${prefix}*`, isMany ? Number.POSITIVE_INFINITY : row.tenders);
  }
  return counted;
}

type CountRow = { readonly count: number } & Readonly<Partial<Record<Facet, readonly FacetCount[]>>>;

async function counts(run: Run, request: SearchRequest, form: 'candidates' | 'walk'): Promise<Counts | undefined> {
  if (!request.isCounted && request.facets.length === 0) return undefined;
  const [row] = await run<CountRow>(buildCounts(request, form));
  const { count = 0, ...facets } = row ?? {};
  const ends = form === 'candidates' ? [] : await run(walkEnd(request, false));
  return { count: Math.min(count, LIMITS.counted), isExact: count <= LIMITS.counted && ends.length === 0, facets };
}
