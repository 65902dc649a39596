import { isJsonObject, type JsonObject } from '@procurement/contracts/reading/json-object';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { isEntrant } from '../domain/offer.rules.ts';
import { linkName } from '../session/links.ts';
import { cookieNamed, csrfOf, isCsrf, openSession, sessionCookie, type Session } from '../session/session.ts';
import type { Language } from './page.ts';
import { RateExceededError } from '../session/rates.ts';
import type { SeenAuction } from '../store/auctions.store.ts';

const LANGUAGE_SECONDS_MAX = 31_536_000;
/** Bounds what PostgreSQL skips. */
const PAGE_MAX = 10_000;
const AUCTION_ID = /^[0-9a-f]{32}(?:_[0-9a-f]{32})?$/;

/** The id in the path; undefined for what no auction can have. */
export function auctionIdOf(request: FastifyRequest): string | undefined {
  // Safe cast: the routes have the parameter.
  const { id } = request.params as { readonly id: string };
  return AUCTION_ID.test(id) ? id : undefined;
}

/**
 * The auction of the path, as this replica last saw it. One that is not in its memory is read from the database, within the
 * limit of the reader: ids can be invented. Throws RateExceededError.
 */
export async function loadAuction(deps: Deps, request: FastifyRequest): Promise<SeenAuction | undefined> {
  const id = auctionIdOf(request);
  if (id === undefined) return undefined;
  const { auctions } = deps.room;
  const inMemory = auctions.inMemory(id);
  if (inMemory !== undefined) return inMemory;
  takeRead(deps, nameOfReader(deps, request, id));
  return auctions.read(id);
}

/** The auction of the path as it is stored. Throws RateExceededError. */
export async function freshAuction(deps: Deps, request: FastifyRequest): Promise<SeenAuction | undefined> {
  const seen = await loadAuction(deps, request);
  return seen === undefined ? undefined : readAgain(deps, seen, nameOfReader(deps, request, seen.auction.plan.id));
}

/** The auction as it is stored: another replica may have changed it. The read counts against the limit of `reader`. */
export async function readAgain(deps: Deps, seen: SeenAuction, reader: string): Promise<SeenAuction> {
  takeRead(deps, reader);
  return (await deps.room.auctions.read(seen.auction.plan.id)) ?? seen;
}

/** Counts a read of the database (auction-room.md 10.3). Throws RateExceededError. */
export function takeRead({ limits }: Deps, reader: string): void {
  if (!limits.reads.take(reader)) throw new RateExceededError();
}

/** The bidder who sent the request; undefined for everybody else. */
export function sessionOf(deps: Deps, request: FastifyRequest, { auction }: SeenAuction): Session | undefined {
  const session = sealedSession(deps, request, auction.plan.id);
  return session !== undefined && isEntrant(auction, session) ? session : undefined;
}

/** The name whose limit a read counts against: a bidder is never refused for what its address did (auction-room.md 10.3). */
export function nameOfReader(deps: Deps, request: FastifyRequest, auctionId: string): string {
  const session = sealedSession(deps, request, auctionId);
  return session === undefined ? request.ip : linkName(session);
}

/** The session of the cookie, which a renewed link or newer sessions may have ended since. */
function sealedSession({ settings, now }: Deps, { headers }: FastifyRequest, auctionId: string): Session | undefined {
  const expected = { auctionId, nowSeconds: Math.floor(now() / 1_000_000) };
  return openSession(settings.ROOM_SECRETS, sessionCookie(headers.cookie), expected);
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

export function parseQuery({ url }: FastifyRequest): URLSearchParams {
  const at = url.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : url.slice(at));
}

/** `?page=`, counted from 1. Anything else than a number is the first page. */
export function pageNumber(request: FastifyRequest): number {
  const given = Math.trunc(Number(parseQuery(request).get('page') ?? 1)) || 1;
  return Math.min(Math.max(given, 1), PAGE_MAX);
}

/** `?lang=`, then the cookie, then the browser. */
export function languageOf(request: FastifyRequest): Language {
  const chosen = chosenLanguage(request) ?? languageNamed(cookieNamed(request.headers.cookie, 'lang'));
  if (chosen !== undefined) return chosen;
  return /^\s*en\b/i.test(request.headers['accept-language'] ?? '') ? 'en' : 'uk';
}

/** Whether browsers may keep cookies for encrypted connections only. */
export function isSecure({ settings }: Deps): boolean {
  return settings.PUBLIC_URL.startsWith('https:');
}

/** The language of a page. One that its address chooses is kept in a cookie, for the pages that follow. */
export function pageLanguage(deps: Deps, request: FastifyRequest, reply: FastifyReply): Language {
  const chosen = chosenLanguage(request);
  const secure = isSecure(deps) ? '; Secure' : '';
  if (chosen !== undefined)
    reply.header(
      'set-cookie',
      `lang=${chosen}; Path=/; Max-Age=${LANGUAGE_SECONDS_MAX}; HttpOnly; SameSite=Lax${secure}`,
    );
  return languageOf(request);
}

function chosenLanguage(request: FastifyRequest): Language | undefined {
  return languageNamed(parseQuery(request).get('lang'));
}

function languageNamed(name: string | null | undefined): Language | undefined {
  return name === 'uk' || name === 'en' ? name : undefined;
}
