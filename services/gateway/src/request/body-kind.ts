import { REFUSAL_MEDIA_TYPE } from '@procurement/contracts/reading/body-result';
import { mediaType } from '@procurement/kit/http/body';
import type { FastifyRequest } from 'fastify';

/** True for the endpoints of the document service that require an API key. A download requires its signature only. */
export function isUploadPath(path: string): boolean {
  return path === '/register' || path === '/upload' || path.startsWith('/upload/');
}

/** True for a body that is read here, not streamed: JSON of a method with a body (http.md 4.5). */
export function hasJsonBody(request: FastifyRequest): boolean {
  return (
    request.method !== 'DELETE' &&
    request.context.write &&
    mediaType(request.headers['content-type']) === 'application/json'
  );
}

const MEDIA_TYPE = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;

/**
 * The content type of a forwarded body. A malformed one becomes `application/octet-stream`, so that the service answers 415 at its
 * step; its framework would refuse the malformed type earlier. The same for the media type of refusals, which only the gateway
 * may send.
 */
export function upstreamContentType(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  return MEDIA_TYPE.test(header) && !header.toLowerCase().includes(REFUSAL_MEDIA_TYPE)
    ? header
    : 'application/octet-stream';
}
