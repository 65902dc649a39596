import { formatLocalDate, instantAt, wallTime, type Instant } from '@procurement/contracts/reading/instant';
import type { Handler } from '@procurement/kit/http/mount';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { mineOf } from '../domain/mine.ts';
import { isLinkHash } from '../session/links.ts';
import type { SeenAuction } from '../store/auctions.store.ts';
import { refuse } from './refuse.ts';
import { auctionOf, jsonBody, pageNumber, queryOf } from './request.ts';
import { getState } from './show-auction.ts';

const PAGE_SIZE = 10;
const TEXT = 'text/plain; charset=utf-8';
const WITHDRAWAL = -1;
const LIST = `SELECT id, start_at::text AS "startAt", state::json #>> '{plan,facts,tenderID}' AS "tenderID",
    state::json #> '{plan,facts,shown}' AS shown
  FROM auction WHERE start_at >= $1 ORDER BY start_at, id LIMIT $2 OFFSET $3`;
const ListRow = z.object({
  id: z.string(),
  startAt: z.coerce.number().int(),
  tenderID: z.string(),
  shown: z.looseObject({
    title: z.string().optional(),
    title_en: z.string().optional(),
    procurementMethodType: z.string().optional(),
  }),
});

/** The addresses that front ends and robots of another component use (auction-room.md 9.7), without its socket. */
export function mountCompat(app: FastifyInstance, deps: Deps): void {
  app.get('/api', async (_request, reply) => reply.send({ text: 'pong' }));
  app.post('/api/log', async (_request, reply) => reply.send({ result: 'ok' }));
  app.get('/get_current_server_time', async (_request, reply) => reply.type(TEXT).send(formatLocalDate(deps.now())));
  app.get('/api/auctions', listFrom(deps));
  app.get('/api/auctions/:id', getState(deps));
  app.post('/api/auctions/:id/bids/:bid', placeByHash(deps));
  app.post('/api/auctions/:id/check_authorization', checkAuthorization(deps));
}

/** From today on, the next first. */
function listFrom({ limits, now, room }: Deps): Handler {
  return async (request, reply) => {
    if (!limits.reads.take(request.ip)) return refuse(reply, 'rate.exceeded');
    const page = pageNumber(request);
    const values = [instantAt(wallTime(now()).date, 0), PAGE_SIZE, (page - 1) * PAGE_SIZE];
    const { rows } = await room.pool.query({ name: 'list-from', text: LIST, values });
    const auctions = rows.flatMap((row) => ListRow.safeParse(row).data ?? []);
    return reply.send(
      auctions.map(({ id, tenderID, startAt, shown: { title, title_en, procurementMethodType } }) => ({
        _id: id,
        tenderID,
        title,
        title_en,
        // Safe cast: a column of instants.
        start_at: formatLocalDate(startAt as Instant),
        procurementMethodType,
      })),
    );
  };
}

/** An offer with the secret of the link. It has no id: sent twice, it is two offers of one amount. */
function placeByHash(deps: Deps): Handler {
  const { limits, now, newId, room } = deps;
  return async (request, reply) => {
    const arrivedAt = now();
    const seen = await auctionOf(deps, request);
    if (seen === undefined) return refuse(reply, 'auction.not-found');
    // Safe cast: the route has the parameter.
    const { bid } = request.params as { readonly bid: string };
    const auctionId = seen.auction.plan.id;
    const link = await openedBy(deps, seen, bid, queryOf(request).get('hash') ?? '');
    if (link === 'unknown') return reply.code(400).send({ error: `Invalid bidder_id ${bid}` });
    if (link === 'wrong')
      return refuseSecret(deps, request, reply, auctionId) ?? reply.code(401).send({ error: 'Invalid hash' });
    if (!limits.offers.take(`${auctionId} ${bid}`)) return refuse(reply, 'rate.exceeded');
    const given = jsonBody(request)?.['amount'];
    const amount =
      given === WITHDRAWAL ? null : typeof given === 'number' && Number.isFinite(given) ? given : undefined;
    const answer = await room.placeOffer({
      auctionId,
      bid,
      generation: link.generation,
      offerId: newId(),
      amount,
      arrivedAt,
    });
    if (answer === undefined) return refuse(reply, 'auction.not-found');
    if ('refused' in answer) return reply.code(400).send({ error: answer.refused.description });
    return reply.send({ amount: answer.accepted });
  };
}

/** What a bidder posted in the open turn. */
function checkAuthorization(deps: Deps): Handler {
  return async (request, reply) => {
    const seen = await auctionOf(deps, request);
    if (seen === undefined) return refuse(reply, 'auction.not-found');
    const { bidder_id: bid, hash } = jsonBody(request) ?? {};
    if (typeof bid !== 'string' || typeof hash !== 'string' || bid === '' || hash === '')
      return reply.code(401).type(TEXT).send('bidder_id or hash not provided');
    const link = await openedBy(deps, seen, bid, hash);
    const auctionId = seen.auction.plan.id;
    if (typeof link === 'string')
      return refuseSecret(deps, request, reply, auctionId) ?? reply.code(401).type(TEXT).send('hash is invalid');
    const fresh = (await deps.room.auctions.read(auctionId)) ?? seen;
    const { stands = null, coeficient } = mineOf(fresh.auction, bid) ?? {};
    return reply.send({ amount: stands, ...(coeficient === undefined ? {} : { coeficient }) });
  };
}

/** By the newest state: a link may have been renewed at another replica. */
async function openedBy(
  { settings, room }: Deps,
  seen: SeenAuction,
  bid: string,
  hash: string,
): Promise<{ readonly generation: number } | 'unknown' | 'wrong'> {
  const auctionId = seen.auction.plan.id;
  const { auction } = (await room.auctions.read(auctionId)) ?? seen;
  const generation = auction.bids.find(({ id }) => id === bid)?.generation;
  if (generation === undefined) return 'unknown';
  return isLinkHash(settings.ROOM_SECRETS, { auctionId, bid, generation }, hash) ? { generation } : 'wrong';
}

/** Refuses an address, or everybody at an auction, that sends too many wrong secrets. */
function refuseSecret(
  { limits }: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  auctionId: string,
): FastifyReply | undefined {
  const isAllowed = limits.logins.take(request.ip) && limits.loginsOfAuction.take(auctionId);
  return isAllowed ? undefined : refuse(reply, 'rate.exceeded');
}
