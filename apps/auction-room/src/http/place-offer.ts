import { createHash } from 'node:crypto';
import { isUnavailable } from './unavailable.ts';
import type { Handler } from '@procurement/kit/http/mount';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import type { OfferAnswer } from '../domain/bidder-view.ts';
import type { Refusal } from '../domain/refusals.ts';
import { linkName } from '../session/links.ts';
import type { Session } from '../session/session.ts';
import { refuse, refuseOffer } from './refuse.ts';
import { loadAuction, formBody, isOwnRequest, jsonBody, sessionOf } from './request.ts';

type Judged = OfferAnswer | { readonly refused: Refusal };

const OFFER_ID = /^[A-Za-z0-9-]{8,64}$/;
const FORM = 'application/x-www-form-urlencoded';

interface OfferBody {
  readonly offerId: unknown;
  /** `null` withdraws. */
  readonly amount: unknown;
  readonly csrf: string;
}

/**
 * `POST /tenders/{id}/offers` (auction-room.md 9.4). Its time is that of its arrival: the body was read before the handler
 * runs. A form is answered with the page, for browsers without JavaScript.
 */
export function placeOffer(deps: Deps): Handler {
  const { room, limits, now } = deps;
  const offersTotal = {
    accepted: deps.metrics.counter('room_offers_total', 'Offers by outcome', { outcome: 'accepted' }),
    refused: deps.metrics.counter('room_offers_total', 'Offers by outcome', { outcome: 'refused' }),
  };
  const tooLate = deps.metrics.counter(
    'room_offers_recorded_too_late_total',
    'Offers in time that found their turn closed',
  );
  return async (request, reply) => {
    const arrivedAt = now();
    const seen = await loadAuction(deps, request);
    if (seen === undefined) return refuse(reply, 'auction.not-found');
    const isForm = (request.headers['content-type'] ?? '').startsWith(FORM);
    const body = isForm ? offerOfForm(request) : offerOfJson(request);
    if (body === undefined) return refuse(reply, 'body.not-json');
    const session = sessionOf(deps, request, seen);
    if (session === undefined) return refuse(reply, 'session.required');
    if (!isOwnRequest(deps, request, session, body.csrf)) return refuse(reply, 'session.csrf');
    if (!limits.offers.take(linkName(session))) return refuse(reply, 'rate.exceeded');
    const { offerId, amount } = body;
    if (typeof offerId !== 'string' || !OFFER_ID.test(offerId)) return refuse(reply, 'offer.id');
    const { auctionId, bid, generation, entry } = session;
    try {
      const isNumber = typeof amount === 'number' && Number.isFinite(amount);
      const given = amount === null || isNumber ? amount : undefined;
      const answer = await room.placeOffer({ auctionId, bid, generation, entry, offerId, amount: given, arrivedAt });
      if (answer === undefined) return refuse(reply, 'auction.not-found');
      const isRefused = 'refused' in answer;
      offersTotal[isRefused ? 'refused' : 'accepted'].increment();
      if (isRefused && answer.refused.code === 'offer.recorded-too-late') tooLate.increment();
      logOffer(deps, request, session, answer);
      if (isRefused && answer.refused.code === 'session.required') return refuse(reply, 'session.required');
      if (isForm) {
        const message = isRefused ? answer.refused.code : amount === null ? 'withdrawn' : 'offer.placed';
        return reply.redirect(`/tenders/${auctionId}?message=${message}`, 303);
      }
      return isRefused ? refuseOffer(reply, answer.refused) : reply.send(answer);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      deps.log.warn({ err: error, auctionId }, 'offer not judged');
      return refuse(reply, 'room.unavailable');
    }
  };
}

function offerOfJson(request: FastifyRequest): OfferBody | undefined {
  const body = jsonBody(request);
  const csrf = request.headers['x-room-csrf'];
  return body === undefined
    ? undefined
    : { offerId: body['offerId'], amount: body['amount'], csrf: typeof csrf === 'string' ? csrf : '' };
}

function offerOfForm(request: FastifyRequest): OfferBody {
  const form = formBody(request);
  const text = (form.get('amount') ?? '').replaceAll(/\s/g, '').replace(',', '.');
  const amount = form.has('withdraw') ? null : /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
  return { offerId: form.get('offerId'), amount, csrf: form.get('csrf') ?? '' };
}

/** Tells sessions apart without naming one: the id is a secret, because the token of a form is made of it. */
function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

/** Amounts are in the log of the auction only: this line is written while the turn is open. */
function logOffer(deps: Deps, request: FastifyRequest, session: Session, answer: Judged): void {
  const outcome = 'refused' in answer ? answer.refused.code : 'accepted';
  deps.log.info({ auctionId: session.auctionId, session: sha256(session.id), address: request.ip, outcome }, 'offer');
}
