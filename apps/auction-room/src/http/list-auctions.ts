import {
  formatLocalDate,
  instantAt,
  parseDateTime,
  wallTime,
  daysLater,
  type Instant,
} from '@procurement/contracts/reading/instant';
import type { Handler } from '@procurement/kit/http/mount';
import type { FastifyRequest } from 'fastify';
import type { QueryConfig, QueryResult } from 'pg';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { pageLanguage, pageNumber, parseQuery, takeRead } from './request.ts';
import { HTML, type AuctionList } from './page.ts';

const PAGE_SIZE = 50;
/** What a number can be; nothing else is looked for. PostgreSQL refuses a NUL. */
const NUMBER = /^[\p{L}\p{N}._-]{1,100}$/u;
// One state that is no JSON must not take the others away.
const COLUMNS = `id, phase, start_at::text AS "startAt",
  CASE WHEN pg_input_is_valid(state, 'json') THEN state::json #> '{plan,tender}' END AS tender`;
const ORDER = 'ORDER BY start_at, id LIMIT $1 OFFSET $2';
const OF_DAY = `SELECT ${COLUMNS} FROM auction WHERE start_at >= $3 AND start_at < $4 ${ORDER}`;
const OF_NUMBER = `SELECT ${COLUMNS} FROM auction WHERE number = $3 ${ORDER}`;
const FIRST_FROM = 'SELECT start_at::text AS "startAt" FROM auction WHERE start_at >= $1 ORDER BY start_at LIMIT 1';
const Row = z.object({
  id: z.string(),
  phase: z.string(),
  startAt: z.coerce.number().int(),
  tender: z.object({
    tenderID: z.string(),
    test: z.boolean(),
    shown: z.looseObject({
      title: z.string().optional(),
      title_en: z.string().optional(),
      procuringEntity: z.unknown().optional(),
    }),
  }),
});

interface Listed {
  readonly id: string;
  readonly tenderID: string;
  readonly title: string | undefined;
  readonly title_en: string | undefined;
  readonly procuringEntity: EntityName;
  readonly start_at: string;
  readonly phase: string;
  readonly test: boolean;
}

interface EntityName {
  readonly name?: string | undefined;
  readonly name_en?: string | undefined;
}

/** Reads the database within the limit of the reader. Throws RateExceededError. */
type Read = (query: QueryConfig) => Promise<QueryResult>;

function reading(deps: Deps, { ip }: FastifyRequest): Read {
  return async (query) => {
    takeRead(deps, ip);
    return deps.room.pool.query(query);
  };
}

/** `GET /auctions?date=&page=`. */
export function listAuctions(deps: Deps): Handler {
  return async (request, reply) => {
    const day = requestedDate(request) ?? today(deps);
    const { auctions, next } = await auctionsOfDay(reading(deps, request), day, pageNumber(request));
    return reply.send({ data: auctions, ...(next === undefined ? {} : { next: `/auctions?${next}` }) });
  };
}

/** `GET /`: the auctions of a number, else of a day, else of today and of the next day that has any. */
export function showList(deps: Deps): Handler {
  return async (request, reply) => {
    const number = parseQuery(request).get('q')?.trim() ?? '';
    const lists = await listsFor(deps, request, number);
    const { page } = deps;
    return reply.type(HTML).send(
      page.listPage({
        lang: pageLanguage(deps, request, reply),
        base: page.base,
        lists,
        number,
        date: lists[0]?.date ?? today(deps),
        today: today(deps),
        query: Object.fromEntries(parseQuery(request)),
      }),
    );
  };
}

async function listsFor(deps: Deps, request: FastifyRequest, number: string): Promise<readonly AuctionList[]> {
  const [read, date, page] = [reading(deps, request), requestedDate(request), pageNumber(request)];
  if (number !== '') return [await auctionsOfNumber(read, number, page)];
  if (date !== undefined) return [await auctionsOfDay(read, date, page)];
  const days = [today(deps), ...(await nextDays(read, today(deps)))];
  return Promise.all(days.map(async (day) => auctionsOfDay(read, day, 1)));
}

/** `?date=`; undefined for what is no date. */
function requestedDate(request: FastifyRequest): string | undefined {
  const given = parseQuery(request).get('date') ?? '';
  return parseDateTime(`${given}T00:00:00Z`) === undefined ? undefined : given;
}

function today({ now }: Deps): string {
  return wallTime(now()).date;
}

/** The first day after today that has auctions, if there is one. */
async function nextDays(read: Read, day: string): Promise<readonly string[]> {
  const values = [instantAt(daysLater(day, 1), 0)];
  // Safe casts: the column of instants that the statement has.
  const rows = (await read({ name: 'next-auction', text: FIRST_FROM, values })).rows as { readonly startAt: string }[];
  return rows.map(({ startAt }) => wallTime(Number(startAt) as Instant).date);
}

async function auctionsOfDay(read: Read, date: string, page: number): Promise<AuctionList> {
  const values = [instantAt(date, 0), instantAt(daysLater(date, 1), 0)];
  const { auctions, isFull } = await readPage(read, { name: 'auctions-of-day', text: OF_DAY, values }, page);
  return { date, auctions, ...(isFull ? { next: `date=${date}&page=${page + 1}` } : {}) };
}

async function auctionsOfNumber(read: Read, number: string, page: number): Promise<AuctionList> {
  if (!NUMBER.test(number)) return { auctions: [] };
  const query = { name: 'auctions-of-number', text: OF_NUMBER, values: [number] };
  const { auctions, isFull } = await readPage(read, query, page);
  return { auctions, ...(isFull ? { next: `q=${encodeURIComponent(number)}&page=${page + 1}` } : {}) };
}

async function readPage(
  read: Read,
  { name, text, values }: { readonly name: string; readonly text: string; readonly values: readonly unknown[] },
  page: number,
): Promise<{ readonly auctions: readonly Listed[]; readonly isFull: boolean }> {
  const paged = [PAGE_SIZE, (page - 1) * PAGE_SIZE, ...values];
  const { rows } = await read({ name, text, values: paged });
  // An auction whose state cannot be read is set aside; the others are shown.
  const readable = rows.flatMap((row) => Row.safeParse(row).data ?? []);
  const auctions = readable.map(({ id, phase, startAt, tender }) => ({
    id,
    tenderID: tender.tenderID,
    title: tender.shown.title,
    title_en: tender.shown.title_en,
    procuringEntity: parseEntityName(tender.shown.procuringEntity),
    // Safe cast: a column of instants.
    start_at: formatLocalDate(startAt as Instant),
    phase,
    test: tender.test,
  }));
  return { auctions, isFull: rows.length === PAGE_SIZE };
}

function parseEntityName(entity: unknown): EntityName {
  return z.object({ name: z.string().optional(), name_en: z.string().optional() }).safeParse(entity).data ?? {};
}
