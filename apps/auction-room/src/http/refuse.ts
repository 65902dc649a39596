import type { FastifyReply } from 'fastify';
import type { Refusal } from '../domain/refusals.ts';

/** Refusals of the HTTP layer; those of a decision are in `domain/refusals.ts` (auction-room.md 9.4). */
const HTTP_REFUSALS = {
  'auction.not-found': { status: 404, location: 'url', name: 'auction_id', description: 'Not Found' },
  'body.not-json': { status: 400, location: 'body', name: 'data', description: 'No JSON object could be decoded' },
  'session.required': {
    status: 401,
    location: 'header',
    name: 'Cookie',
    description: 'Use the valid participation link to enter the auction',
  },
  'session.csrf': { status: 403, location: 'header', name: 'X-Room-Csrf', description: 'Forbidden' },
  'rate.exceeded': { status: 429, location: 'header', name: 'rate', description: 'Too many requests' },
  'offer.id': { status: 422, location: 'body', name: 'offerId', description: 'Offer id is required' },
  'clock.move': {
    status: 422,
    location: 'body',
    name: 'data',
    description: 'Give advance, a duration, or to: next_stage',
  },
  'room.full': { status: 503, location: 'header', name: 'streams', description: 'Too many streams' },
  'room.unavailable': { status: 503, location: 'header', name: 'room', description: 'Service Unavailable' },
} as const;

export type HttpRefusalCode = keyof typeof HTTP_REFUSALS;

const RETRY_AFTER: ReadonlySet<number> = new Set([429, 503]);

export function refuse(reply: FastifyReply, code: HttpRefusalCode, retryAfterSeconds = 1): FastifyReply {
  const { status, location, name, description } = HTTP_REFUSALS[code];
  if (RETRY_AFTER.has(status)) reply.header('retry-after', String(retryAfterSeconds));
  return sendErrors(reply, status, { location, name, description, code });
}

/** A refusal of the decision. `limit` is the largest amount that the turn accepts. */
export function refuseOffer(reply: FastifyReply, { code, status, description, limit }: Refusal): FastifyReply {
  const name = status === 409 ? 'offerId' : 'amount';
  return sendErrors(reply, status, {
    location: 'body',
    name,
    description,
    code,
    ...(limit === undefined ? {} : { limit }),
  });
}

export function sendErrors(
  reply: FastifyReply,
  status: number,
  error: Readonly<Record<string, unknown>>,
): FastifyReply {
  return reply.code(status).send({ status: 'error', errors: [error] });
}
