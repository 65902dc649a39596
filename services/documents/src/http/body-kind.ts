import { REFUSAL_MEDIA_TYPE } from '@procurement/contracts/reading/body-result';
import { askForBody } from '@procurement/kit/http/expect-continue';
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

/** The body, which is about to be read. */
export function requestedBody(request: FastifyRequest): Readable {
  askForBody(request.raw);
  return bodyStream(request);
}

/** The body as a stream (`app.ts` installs no parser). */
export function bodyStream(request: FastifyRequest): Readable {
  // Fastify passes no body when there is none; the raw request is then a stream that ends at once.
  return (request.body as Readable | undefined | null) ?? request.raw;
}
