import type { FastifyReply } from 'fastify';

/**
 * Answers OPTIONS: what exists here, and that scripts of other origins may read. Writing across origins is not offered:
 * API keys do not belong in browsers (http.md 5.5).
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
