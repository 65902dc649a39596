import { addMicros, formatLocalDate } from '@procurement/contracts/reading/instant';
import type { JsonObject } from '@procurement/contracts/reading/json-object';
import type { Handler } from '@procurement/kit/http/mount';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import type { Auction } from '../domain/auction.ts';
import { bidderView } from '../domain/bidder-view.ts';
import { publicDocument } from '../domain/public-document.ts';
import type { SeenAuction } from '../store/auctions.store.ts';
import { HTML } from './page.ts';
import { refuse } from './refuse.ts';
import { csrfToken, freshAuction, pageLanguage, parseQuery, sessionOf } from './request.ts';

/** `GET /tenders/{id}`: the page of an auction, complete without JavaScript. */
export function showAuction(deps: Deps): Handler {
  return async (request, reply) => {
    const seen = await freshAuction(deps, request);
    const lang = pageLanguage(deps, request, reply);
    const { page } = deps;
    if (seen === undefined) {
      return reply
        .code(404)
        .type(HTML)
        .send(page.messagePage({ lang, base: page.base, message: 'notFound' }));
    }
    const mine = bidderBody(deps, request, seen);
    if (mine !== undefined) reply.header('cache-control', 'no-store');
    const message = parseQuery(request).get('message') ?? undefined;
    const state = buildDocument(deps, seen);
    return reply.type(HTML).send(
      page.auctionPage({
        lang,
        base: page.base,
        state,
        ...(mine === undefined ? {} : { mine }),
        ...(message === undefined ? {} : { message }),
      }),
    );
  };
}

/** `GET /tenders/{id}/state`: the public document; 204 when the caller has it. */
export function getState(deps: Deps): Handler {
  return async (request, reply) => {
    const seen = await freshAuction(deps, request);
    if (seen === undefined) return refuse(reply, 'auction.not-found');
    const { publicSeq } = seen.auction;
    reply.header('etag', `"${publicSeq}"`);
    if (Number(parseQuery(request).get('since') ?? Number.NaN) >= publicSeq) return reply.code(204).send();
    return reply.send(buildDocument(deps, seen));
  };
}

/** `GET /tenders/{id}/mine`: what a bidder sees of its own bid. */
export function getMine(deps: Deps): Handler {
  return async (request, reply) => {
    const seen = await freshAuction(deps, request);
    if (seen === undefined) return refuse(reply, 'auction.not-found');
    const mine = bidderBody(deps, request, seen);
    return mine === undefined
      ? refuse(reply, 'session.required')
      : reply.header('cache-control', 'no-store').send(mine);
  };
}

/** `GET /time`: room time, or with `?auction=` that of an auction, which differs in a sandbox. */
export function getTime({ now, room, settings }: Deps): Handler {
  return async (request, reply) => {
    const id = settings.SANDBOX_MODE ? parseQuery(request).get('auction') : null;
    const aheadMicros = (id === null ? undefined : await room.auctions.read(id))?.aheadMicros ?? 0;
    return reply.send({ now: formatLocalDate(addMicros(now(), aheadMicros)) });
  };
}

/** `GET /tenders/{id}/protocol`: where the tender service keeps the file. */
export function getProtocol(deps: Deps): Handler {
  return async (request, reply) => {
    const seen = await freshAuction(deps, request);
    const documentId = seen?.auction.protocol?.documentId;
    if (seen === undefined || documentId === undefined) return refuse(reply, 'auction.not-found');
    const { tenderId } = seen.auction.plan;
    return reply.redirect(`${deps.settings.API_URL}/api/2.5/tenders/${tenderId}/documents/${documentId}`, 303);
  };
}

function buildDocument({ now }: Deps, { auction, aheadMicros }: SeenAuction): JsonObject {
  return publicDocument(auction, addMicros(now(), aheadMicros));
}

function bidderBody(deps: Deps, request: FastifyRequest, seen: SeenAuction): JsonObject | undefined {
  const session = sessionOf(deps, request, seen);
  if (session === undefined) return undefined;
  const { returnUrl } = session;
  return {
    ...bidderView(seen.auction, session.bid),
    devices: deps.hub.devices(session.auctionId, session.bid),
    csrf: csrfToken(deps, session),
    ...(returnUrl === undefined ? {} : { return_url: returnUrl }),
  };
}

/** Whether links and sessions of the auction still open it. */
export function isOpen({ phase }: Auction): boolean {
  return phase !== 'announced' && phase !== 'cancelled';
}
