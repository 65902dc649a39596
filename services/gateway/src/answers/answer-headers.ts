import type { IncomingHttpHeaders } from 'node:http';
import type { Exchange } from '../exchange.ts';
import { localAddress } from '../generations/addresses.ts';
import { generationHeaders } from '../generations/v0.1.choice.ts';

/** What the answers of one installation have in common. */
export interface AnswerSettings {
  /** Scheme and host that clients see, without a slash at the end. */
  readonly base: string;
  readonly sandbox: boolean;
  /** Value of the `SERVER_ID` cookie: the same for everybody and for ever. */
  readonly serverId: string;
}

/**
 * Headers of every answer, whoever makes it (http.md 5.2, 5.3, 5.5, 1.7). The cookie is for clients that wait for one
 * before they start; it is given to requests that have none, never required and never read.
 */
export function answerHeaders(
  exchange: Exchange,
  request: { readonly method: string; readonly headers: IncomingHttpHeaders },
  settings: AnswerSettings,
): Record<string, string> {
  const headers: Record<string, string> = {
    'x-request-id': exchange.requestId,
    'x-content-type-options': 'nosniff',
    vary: 'Accept-Encoding',
    ...(exchange.early === undefined ? {} : generationHeaders(exchange.early)),
  };
  if (exchange.clientRequestId !== undefined) headers['x-client-request-id'] = exchange.clientRequestId;
  if (settings.sandbox) headers['x-sandbox'] = '1';
  if (exchange.path.startsWith('/api/') && !(request.headers.cookie ?? '').includes('SERVER_ID=')) {
    headers['set-cookie'] = `SERVER_ID=${settings.serverId}; Path=/`;
  }
  if (request.method === 'GET' || request.method === 'HEAD') {
    headers['cache-control'] = request.headers.authorization === undefined ? 'no-cache' : 'private, no-store';
    headers['access-control-allow-origin'] = '*';
    headers['access-control-expose-headers'] = 'X-Request-ID, X-Client-Request-ID, ETag, Retry-After';
  }
  return headers;
}

// Named one by one: what a service says to the gateway is not for the world unless it is on this list, and nothing that
// belongs to one hop can slip through.
const PASSED = [
  'content-type',
  'content-length',
  'content-disposition',
  'content-range',
  'content-security-policy',
  'accept-ranges',
  'last-modified',
  'cache-control',
  'retry-after',
  'allow',
  'www-authenticate',
] as const;

/** The headers of a service's answer that go on to the client, addresses and tags in the request's segment. */
export function passedHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  addresses: { readonly base: string; readonly segment: string },
): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const name of PASSED) {
    const value = headers[name];
    if (typeof value === 'string') passed[name] = value;
  }
  const { location, etag } = headers;
  if (typeof location === 'string') passed['location'] = localAddress(location, addresses);
  if (typeof etag === 'string') passed['etag'] = etag.replace(/-2\.5"$/, `-${addresses.segment}"`);
  return passed;
}
