import { isJsonObject, type JsonObject } from '@procurement/contracts/reading/json-object';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { cookieNamed, csrfOf, isCsrf, openSession, sessionCookie, type Session } from '../session/session.ts';
import type { Language } from './page.ts';
import type { SeenAuction } from '../store/auctions.store.ts';

/** Bounds what PostgreSQL skips. */
const PAGE_MAX = 10_000;
const AUCTION_ID = /^[0-9a-f]{32}(?:_[0-9a-f]{32})?$/;

/** The id in the path; undefined for what no auction can have. */
export function auctionIdOf(request: FastifyRequest): string | undefined {
  // Safe cast: the routes have the parameter.
  const { id } = request.params as { readonly id: string };
  return AUCTION_ID.test(id) ? id : undefined;
}

/** The auction of the path, as this replica last saw it. */
export async function auctionOf({ room }: Deps, request: FastifyRequest): Promise<SeenAuction | undefined> {
  const id = auctionIdOf(request);
  return id === undefined ? undefined : room.auctions.lastSeen(id);
}

/** The bidder who sent the request; undefined for everybody else. */
export function sessionOf(
  { settings, now }: Deps,
  request: FastifyRequest,
  { auction }: SeenAuction,
): Session | undefined {
  const expected = { auctionId: auction.plan.id, nowSeconds: Math.floor(now() / 1_000_000) };
  const session = openSession(settings.ROOM_SECRETS, sessionCookie(request.headers.cookie), expected);
  const bid = auction.bids.find(({ id }) => id === session?.bid);
  return bid !== undefined && bid.generation === session?.generation ? session : undefined;
}

/** Whether the page of this room sent the request, for this session. */
export function isOwnRequest({ settings }: Deps, request: FastifyRequest, session: Session, csrf: string): boolean {
  return isOwnOrigin(settings.PUBLIC_URL, request) && isCsrf(settings.ROOM_SECRETS, session, csrf);
}

/** Browsers send where a form was; programs need not. */
export function isOwnOrigin(publicUrl: string, { headers }: FastifyRequest): boolean {
  const { origin } = headers;
  if (origin !== undefined && origin !== 'null') return origin === new URL(publicUrl).origin;
  const site = headers['sec-fetch-site'];
  return site === undefined || site === 'same-origin' || site === 'none';
}

export function csrfToken({ settings }: Deps, session: Session): string {
  return csrfOf(settings.ROOM_SECRETS, session);
}

/** The body as an object; undefined for anything else. */
export function jsonBody({ body }: FastifyRequest): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(String(body));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function formBody({ body }: FastifyRequest): URLSearchParams {
  return new URLSearchParams(typeof body === 'string' ? body : '');
}

export function queryOf({ url }: FastifyRequest): URLSearchParams {
  const at = url.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : url.slice(at));
}

/** `?page=`, counted from 1. Anything else than a number is the first page. */
export function pageNumber(request: FastifyRequest): number {
  const given = Math.trunc(Number(queryOf(request).get('page') ?? 1)) || 1;
  return Math.min(Math.max(given, 1), PAGE_MAX);
}

/** `?lang=`, then the cookie, then the browser. */
export function languageOf(request: FastifyRequest): Language {
  const given = queryOf(request).get('lang') ?? cookieNamed(request.headers.cookie, 'lang');
  if (given === 'uk' || given === 'en') return given;
  return /^\s*en\b/i.test(request.headers['accept-language'] ?? '') ? 'en' : 'uk';
}
