import type { Handler } from '@procurement/kit/http/mount';
import type { FastifyReply } from 'fastify';
import type { Deps } from '../deps.ts';
import { linkName } from '../session/links.ts';
import { sealSession, SESSION_SECONDS_MAX, setCookie } from '../session/session.ts';
import { checkLink, maySendWrongSecret, refuseWrongSecret } from './link-check.ts';
import { refuse } from './refuse.ts';
import {
  loadAuction,
  formBody,
  isOwnOrigin,
  isOwnRequest,
  isSecure,
  languageOf,
  pageLanguage,
  parseQuery,
  sessionOf,
} from './request.ts';
import { HTML } from './page.ts';
import { isOpen } from './show-auction.ts';

const RETURN_URL_CHARACTERS_MAX = 2_000;

/** `GET /tenders/{id}/login`: asks for consent. Checks and sets nothing, because programs that scan links open them too. */
export function showLogin(deps: Deps): Handler {
  return async (request, reply) => {
    const seen = await loadAuction(deps, request);
    const { page } = deps;
    const shown = { lang: pageLanguage(deps, request, reply), base: page.base };
    if (seen === undefined) {
      return reply
        .code(404)
        .type(HTML)
        .send(page.messagePage({ ...shown, message: 'notFound' }));
    }
    const { auction } = seen;
    if (!isOpen(auction)) return reply.redirect(`/tenders/${auction.plan.id}`, 303);
    const query = parseQuery(request);
    const fields = {
      bidder: query.get('bidder_id') ?? '',
      hash: query.get('hash') ?? '',
      returnUrl: query.get('return_url') ?? '',
    };
    reply.header('cache-control', 'no-store');
    return reply.type(HTML).send(page.loginPage({ ...shown, title: auction.plan.tender.tenderID, ...fields }));
  };
}

/** `POST /tenders/{id}/login`: opens the session of a right link. A wrong bidder and a wrong hash have one answer. */
export function logIn(deps: Deps): Handler {
  const { settings, page, room, limits, now, newId } = deps;
  return async (request, reply) => {
    const seen = await loadAuction(deps, request);
    if (seen === undefined) return refuse(reply, 'auction.not-found');
    if (!isOwnOrigin(settings.PUBLIC_URL, request)) return refuse(reply, 'session.csrf');
    const form = formBody(request);
    const auctionId = seen.auction.plan.id;
    const bid = form.get('bidder_id') ?? '';
    const hash = form.get('hash') ?? '';
    const { auction, generation, isRight } = await checkLink(deps, request, seen, { bid, hash });
    const showWrong = (): FastifyReply => {
      const shown = { lang: languageOf(request), base: page.base, message: 'linkWrong' };
      return reply.code(401).type(HTML).send(page.messagePage(shown));
    };
    if (!isRight || generation === undefined || !isOpen(auction)) {
      return maySendWrongSecret(deps, request, auctionId) ? showWrong() : refuseWrongSecret(deps, reply);
    }
    const link = { auctionId, bid, generation };
    if (!limits.entries.take(linkName(link))) {
      return refuse(reply, 'rate.exceeded', limits.entries.retryAfterSeconds);
    }
    const entered = await room.run(auctionId, { type: 'Enter', bid, generation }, 'bidder');
    const entry = entered?.auction.bids.find(({ id }) => id === bid)?.entries;
    // The link was renewed, or the auction ended, since it was checked.
    if (entry === undefined || entered?.refused !== undefined) return showWrong();
    const returnUrl = allowedReturnUrl(form.get('return_url') ?? '', settings.RETURN_HOSTS);
    const session = sealSession(settings.ROOM_SECRETS, {
      ...link,
      entry,
      id: newId(),
      expiresAt: Math.floor(now() / 1_000_000) + SESSION_SECONDS_MAX,
      ...(returnUrl === undefined ? {} : { returnUrl }),
    });
    deps.log.info({ auctionId, number: auction.numbers[bid] ?? null }, 'bidder entered');
    return reply
      .header('set-cookie', setCookie(auctionId, session, { isSecure: isSecure(deps) }))
      .redirect(`/tenders/${auctionId}`, 303);
  };
}

/** `POST /tenders/{id}/logout`. */
export function logOut(deps: Deps): Handler {
  return async (request, reply) => {
    const seen = await loadAuction(deps, request);
    if (seen === undefined) return refuse(reply, 'auction.not-found');
    const session = sessionOf(deps, request, seen);
    const csrf = formBody(request).get('csrf') ?? '';
    if (session === undefined || !isOwnRequest(deps, request, session, csrf)) return refuse(reply, 'session.csrf');
    const { id } = seen.auction.plan;
    return reply
      .header('set-cookie', setCookie(id, undefined, { isSecure: isSecure(deps) }))
      .redirect(`/tenders/${id}`, 303);
  };
}

/** A web address of an allowed host; undefined for anything else. */
function allowedReturnUrl(text: string, hosts: readonly string[]): string | undefined {
  if (text === '' || text.length > RETURN_URL_CHARACTERS_MAX) return undefined;
  try {
    const { protocol, host, href } = new URL(text);
    const isWeb = protocol === 'https:' || protocol === 'http:';
    return isWeb && (hosts.length === 0 || hosts.includes(host)) ? href : undefined;
  } catch {
    return undefined;
  }
}
