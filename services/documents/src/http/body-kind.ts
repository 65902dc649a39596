import { REFUSAL_MEDIA_TYPE } from '@procurement/contracts/reading/body-result';
import { mediaType } from '@procurement/kit/http/body';
import type { FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';

/** How a request carries its document (http.md 2.3). */
export type BodyKind = 'form' | 'json' | 'raw';

export function bodyKindOf(request: FastifyRequest): BodyKind {
  const type = mediaType(request.headers['content-type']);
  if (type === 'multipart/form-data') return 'form';
  return type === 'application/json' || type === REFUSAL_MEDIA_TYPE ? 'json' : 'raw';
}

/** The body as a stream (`app.ts` installs no parser). */
export function bodyStream(request: FastifyRequest): Readable {
  // Fastify passes no body when there is none; the raw request is then a stream that ends at once.
  return (request.body as Readable | undefined | null) ?? request.raw;
}
