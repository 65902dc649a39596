import { REFUSAL_MEDIA_TYPE } from '@procurement/contracts/reading/body-result';
import { mediaType } from '@procurement/kit/http/body';
import type { FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';

/** In which of the ways of http.md 2.3 a request brings its document. */
export type BodyKind = 'form' | 'json' | 'raw';

export function bodyKindOf(request: FastifyRequest): BodyKind {
  const type = mediaType(request.headers['content-type']);
  if (type === 'multipart/form-data') return 'form';
  return type === 'application/json' || type === REFUSAL_MEDIA_TYPE ? 'json' : 'raw';
}

/** The body as a stream: bodies are not read before somebody decides how (`app.ts`). */
export function bodyStream(request: FastifyRequest): Readable {
  // Without a body the framework hands over none; the request itself is then a stream that ends at once.
  return (request.body as Readable | undefined | null) ?? request.raw;
}
