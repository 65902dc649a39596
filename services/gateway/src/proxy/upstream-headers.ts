import type { IncomingHttpHeaders } from 'node:http';
import { CLIENT_HEADER } from '@procurement/kit/http/client';
import { IDENTITY_HEADER } from '@procurement/kit/http/identity';
import { TIMEOUT_HEADER } from '@procurement/kit/runtime/caller';
import { traceMembers } from '@procurement/kit/runtime/trace-context';
import { clientKey } from '../request/client-key.ts';
import type { RequestContext } from '../request/request-context.ts';

// An allow-list: credentials, cookies, forged identities, forwarding headers and hop-by-hop headers never reach a service
// (http.md 5.3).
const ALLOWED_REQUEST_HEADERS = [
  'accept',
  'if-match',
  'if-modified-since',
  'if-range',
  'prefer',
  'range',
  'content-disposition',
  'last-event-id',
  'user-agent',
] as const;

/** Headers of the request to a service, without those that describe the body. */
export function upstreamHeaders(
  context: RequestContext,
  headers: IncomingHttpHeaders,
  identity: string,
): Record<string, string> {
  const allowed: Record<string, string> = {
    [IDENTITY_HEADER]: identity,
    'x-request-id': context.requestId,
    [TIMEOUT_HEADER]: String(context.timeoutMs),
    // The gateway's own span; what the client sent is its parent.
    ...traceMembers(context.trace),
  };
  // The register shares its places between clients; outside of segments all that counts clients is its own.
  if ((context.entry?.owner ?? 'register') === 'register')
    allowed[CLIENT_HEADER] = clientKey(context.caller, context.address);
  if (context.clientRequestId !== undefined) allowed['x-client-request-id'] = context.clientRequestId;
  for (const name of ALLOWED_REQUEST_HEADERS) {
    const value = headers[name];
    if (typeof value === 'string') allowed[name] = value;
  }
  const condition = ifNoneMatchOfSegment(headers['if-none-match'], context.entry?.segment ?? '');
  if (condition !== undefined) allowed['if-none-match'] = condition;
  return allowed;
}

/** `If-None-Match` with tags of the request's segment only: the same revision differs between segments. */
export function ifNoneMatchOfSegment(header: string | undefined, segment: string): string | undefined {
  if (header === undefined) return undefined;
  const ends = [`-${segment}"`, `-${segment}-exact"`];
  const tags = header.split(',').filter((tag) => tag.trim() === '*' || ends.some((end) => tag.trim().endsWith(end)));
  return tags.length === 0 ? undefined : tags.join(',').trim();
}
