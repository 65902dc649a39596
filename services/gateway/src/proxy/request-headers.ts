import { REFUSAL_TYPE } from '@procurement/contracts/body-reading';
import type { IncomingHttpHeaders } from 'node:http';
import { IDENTITY_HEADER } from '@procurement/kit/identity';
import type { Exchange } from '../exchange.ts';

// Named one by one: what a client sends to a service is on this list or is not sent. Credentials, cookies, forged
// identities and forwarding headers, and whatever belongs to one hop, cannot slip through.
const PASSED = [
  'accept',
  'if-match',
  'if-modified-since',
  'if-range',
  'range',
  'content-disposition',
  'user-agent',
] as const;

/** Headers of the request to a service, without those of the body. */
export function requestHeaders(
  exchange: Exchange,
  headers: IncomingHttpHeaders,
  identity: string,
): Record<string, string> {
  const passed: Record<string, string> = { [IDENTITY_HEADER]: identity, 'x-request-id': exchange.requestId };
  if (exchange.clientRequestId !== undefined) passed['x-client-request-id'] = exchange.clientRequestId;
  for (const name of PASSED) {
    const value = headers[name];
    if (typeof value === 'string') passed[name] = value;
  }
  const condition = conditionOf(headers['if-none-match'], exchange.entry?.segment ?? '');
  if (condition !== undefined) passed['if-none-match'] = condition;
  return passed;
}

/** The condition, with tags of the request's own segment only: the same revision looks different on another. */
function conditionOf(header: string | undefined, segment: string): string | undefined {
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
export function passedContentType(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  return MEDIA_TYPE.test(header) && !header.toLowerCase().includes(REFUSAL_TYPE) ? header : 'application/octet-stream';
}
