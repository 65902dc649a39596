import {
  formatLocalDate,
  instantAt,
  parseDateTime,
  wallTime,
  addMicros,
  daysLater,
} from '@procurement/contracts/reading/instant';
import type { Handler } from '@procurement/kit/http/mount';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { languageOf, pageNumber, queryOf, takeRead } from './request.ts';
import { HTML } from './page.ts';

const PAGE_SIZE = 50;
const LIST = `SELECT id, phase, start_at::text AS "startAt", state::json #> '{plan,facts}' AS facts FROM auction
  WHERE start_at >= $1 AND start_at < $2 ORDER BY start_at, id LIMIT $3 OFFSET $4`;
const Row = z.object({
  id: z.string(),
  phase: z.string(),
  startAt: z.coerce.number().int(),
  facts: z.object({
    tenderID: z.string(),
    test: z.boolean(),
    shown: z.looseObject({ title: z.string().optional(), procuringEntity: z.unknown().optional() }),
  }),
});

interface Listed {
  readonly id: string;
  readonly tenderID: string;
  readonly title: string | undefined;
  readonly procuringEntity: { readonly name: string | undefined };
  readonly start_at: string;
  readonly phase: string;
  readonly test: boolean;
}

/** `GET /auctions?date=&page=`. */
export function listAuctions(deps: Deps): Handler {
  return async (request, reply) => {
    takeRead(deps, request.ip);
    const page = pageNumber(request);
    const date = dateOf(deps, request);
    const { data, isFull } = await auctionsOfDay(deps, date, page);
    return reply.send({ data, ...(isFull ? { next: `/auctions?date=${date}&page=${page + 1}` } : {}) });
  };
}

/** `GET /`: the auctions of a day. */
export function showList(deps: Deps): Handler {
  return async (request, reply) => {
    takeRead(deps, request.ip);
    const date = dateOf(deps, request);
    const { data: auctions } = await auctionsOfDay(deps, date, 1);
    const { page } = deps;
    return reply.type(HTML).send(page.listPage({ lang: languageOf(request), base: page.base, auctions, date }));
  };
}

function dateOf({ now }: Deps, request: FastifyRequest): string {
  const given = queryOf(request).get('date') ?? '';
  return parseDateTime(`${given}T00:00:00Z`) === undefined ? wallTime(now()).date : given;
}

async function auctionsOfDay(
  { room }: Deps,
  date: string,
  page: number,
): Promise<{ readonly data: readonly Listed[]; readonly isFull: boolean }> {
  const from = instantAt(date, 0);
  const values = [from, instantAt(daysLater(date, 1), 0), PAGE_SIZE, (page - 1) * PAGE_SIZE];
  const { rows } = await room.pool.query({ name: 'list-auctions', text: LIST, values });
  // An auction whose state cannot be read is set aside; the others are shown.
  const readable = rows.flatMap((row) => Row.safeParse(row).data ?? []);
  const data = readable.map(({ id, phase, startAt, facts }) => ({
    id,
    tenderID: facts.tenderID,
    title: facts.shown.title,
    procuringEntity: { name: nameOf(facts.shown.procuringEntity) },
    // Safe: a column of instants.
    start_at: formatLocalDate(addMicros(from, startAt - from)),
    phase,
    test: facts.test,
  }));
  return { data, isFull: rows.length === PAGE_SIZE };
}

function nameOf(entity: unknown): string | undefined {
  return z.object({ name: z.string() }).safeParse(entity).data?.name;
}
