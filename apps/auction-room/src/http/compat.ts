import { formatLocalDate, instantAt, wallTime, type Instant } from '@procurement/contracts/reading/instant';
import type { Handler } from '@procurement/kit/http/mount';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { bidderView } from '../domain/bidder-view.ts';
import { linkName } from '../session/links.ts';
import { checkLink, maySendWrongSecret, refuseWrongSecret } from './link-check.ts';
import { refuse } from './refuse.ts';
import { loadAuction, jsonBody, pageNumber, parseQuery, takeRead } from './request.ts';
import { getState } from './show-auction.ts';

const PAGE_SIZE = 10;
const TEXT = 'text/plain; charset=utf-8';
const WITHDRAWAL = -1;
const LIST = `SELECT id, start_at::text AS "startAt", state::json #>> '{plan,tender,tenderID}' AS "tenderID",
    state::json #> '{plan,tender,shown}' AS shown
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

/** The addresses that front ends and robots of another component use (auction-room.md 9.7). Their socket is in `compat-socket.ts`. */
export function mountCompat(app: FastifyInstance, deps: Deps): void {
  app.get('/api', async (_request, reply) => reply.send({ text: 'pong' }));
  app.post('/api/log', async (_request, reply) => reply.send({ result: 'ok' }));
  app.get('/get_current_server_time', async (_request, reply) => reply.type(TEXT).send(formatLocalDate(deps.now())));
  app.get('/api/auctions', listFrom(deps));
  app.get('/api/auctions/:id', getState(deps));
  app.post('/api/auctions/:id/bids/:bid', placeByHash(deps));
  app.post('/api/auctions/:id/check_authorization', checkAuthorization(deps));
}

/** Lists the auctions from today on, the next one first. */
function listFrom(deps: Deps): Handler {
  const { now, room } = deps;
  return async (request, reply) => {
    takeRead(deps, request.ip);
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
    const seen = await loadAuction(deps, request);
    if (seen === undefined) return refuse(reply, 'auction.not-found');
    // Safe cast: the route has the parameter.
    const { bid } = request.params as { readonly bid: string };
    const auctionId = seen.auction.plan.id;
    const { generation, isRight } = await checkLink(deps, request, seen, {
      bid,
      hash: parseQuery(request).get('hash') ?? '',
    });
    if (!isRight || generation === undefined) {
      if (!maySendWrongSecret(deps, request, auctionId)) return refuseWrongSecret(deps, reply);
      return generation === undefined
        ? reply.code(400).send({ error: `Invalid bidder_id ${bid}` })
        : reply.code(401).send({ error: 'Invalid hash' });
    }
    if (!limits.offers.take(linkName({ auctionId, bid, generation }))) return refuse(reply, 'rate.exceeded');
    const given = jsonBody(request)?.['amount'];
    const amount =
      given === WITHDRAWAL ? null : typeof given === 'number' && Number.isFinite(given) ? given : undefined;
    const answer = await room.placeOffer({
      auctionId,
      bid,
      generation,
      offerId: newId(),
      amount,
      arrivedAt,
    });
    if (answer === undefined) return refuse(reply, 'auction.not-found');
    if ('refused' in answer) return reply.code(400).send({ error: answer.refused.description });
    return reply.send({ amount: answer.accepted });
  };
}

/** `POST …/check_authorization`: whether a link is right, and what its bidder posted in the open turn. */
function checkAuthorization(deps: Deps): Handler {
  return async (request, reply) => {
    const seen = await loadAuction(deps, request);
    if (seen === undefined) return refuse(reply, 'auction.not-found');
    const { bidder_id: bid, hash } = jsonBody(request) ?? {};
    if (typeof bid !== 'string' || typeof hash !== 'string' || bid === '' || hash === '')
      return reply.code(401).type(TEXT).send('bidder_id or hash not provided');
    const { auction, isRight } = await checkLink(deps, request, seen, { bid, hash });
    if (!isRight) {
      return maySendWrongSecret(deps, request, auction.plan.id)
        ? reply.code(401).type(TEXT).send('hash is invalid')
        : refuseWrongSecret(deps, reply);
    }
    const { stands = null, coeficient } = bidderView(auction, bid) ?? {};
    return reply.send({ amount: stands, ...(coeficient === undefined ? {} : { coeficient }) });
  };
}
