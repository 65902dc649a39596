import type { FastifyReply } from 'fastify';

/**
 * Answers OPTIONS with the allowed methods, and lets scripts of other origins read. Writes of other origins are not allowed: API
 * keys do not belong in browsers (http.md 5.5).
 */
export function sendPreflight(reply: FastifyReply, allow: string): FastifyReply {
  return reply
    .code(204)
    .headers({
      allow: `${allow}, OPTIONS`,
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, OPTIONS',
      'access-control-allow-headers': 'Content-Type, X-Client-Request-ID',
      'access-control-max-age': '86400',
    })
    .send();
}
