import { REFUSAL_MEDIA_TYPE } from '@procurement/contracts/reading/body-result';
import type { IncomingHttpHeaders } from 'node:http';
import { IDENTITY_HEADER } from '@procurement/kit/http/identity';
import type { RequestContext } from '../pipeline/request-context.ts';

// Named one by one: what a client sends to a service is on this list or is not sent. Credentials, cookies, forged
// identities and forwarding headers, and whatever belongs to one hop, cannot slip through.
const ALLOWED_REQUEST_HEADERS = [
  'accept',
  'if-match',
  'if-modified-since',
  'if-range',
  'range',
  'content-disposition',
  'user-agent',
] as const;

/** Headers of the request to a service, without those of the body. */
export function upstreamHeaders(
  context: RequestContext,
  headers: IncomingHttpHeaders,
  identity: string,
): Record<string, string> {
  const allowed: Record<string, string> = { [IDENTITY_HEADER]: identity, 'x-request-id': context.requestId };
  if (context.clientRequestId !== undefined) allowed['x-client-request-id'] = context.clientRequestId;
  for (const name of ALLOWED_REQUEST_HEADERS) {
    const value = headers[name];
    if (typeof value === 'string') allowed[name] = value;
  }
  const condition = ifNoneMatchOfSegment(headers['if-none-match'], context.entry?.segment ?? '');
  if (condition !== undefined) allowed['if-none-match'] = condition;
  return allowed;
}

/** The condition, with tags of the request's own segment only: the same revision looks different on another. */
function ifNoneMatchOfSegment(header: string | undefined, segment: string): string | undefined {
  if (header === undefined) return undefined;
  const tags = header.split(',').filter((tag) => tag.trim() === '*' || tag.trim().endsWith(`-${segment}"`));
  return tags.length === 0 ? undefined : tags.join(',').trim();
}

const MEDIA_TYPE = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;

/**
 * The content type of a body that is passed on. One that is no media type at all becomes "some bytes": the service then
 * refuses it in its turn (415), where its own framework would have stopped it earlier and otherwise. The same for the
 * type by which the gateway itself passes refusals on.
 */
export function upstreamContentType(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  return MEDIA_TYPE.test(header) && !header.toLowerCase().includes(REFUSAL_MEDIA_TYPE)
    ? header
    : 'application/octet-stream';
}
