import type { FastifyRequest } from 'fastify';

/**
 * Request header by which the gateway tells whom a request is for: an API key or a network. It gives no right, so it is not signed: an
 * identity of its own for each network would have to be signed and verified for each.
 */
export const CLIENT_HEADER = 'x-client';

/**
 * Response header for the gateway: bytes of the texts that a service has compared for a read, or saved for a write. The gateway charges the
 * client for them (decision 0066).
 */
export const WORK_BYTES_HEADER = 'x-work-bytes';

/** Whom a turn in a queue is for. Requests without the header are one client. */
export function clientOf({ headers }: Pick<FastifyRequest, 'headers'>): string {
  const client = headers[CLIENT_HEADER];
  return typeof client === 'string' ? client : '';
}
