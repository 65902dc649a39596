import { RECEIPT_HEADER, RECEIPT_SEGMENTS } from '@procurement/contracts/resources/bid-receipt';
import { IGNORED_MEMBERS_HEADER } from '@procurement/contracts/problems/ignored-members';
import { REPR_DIGEST_HEADER } from '@procurement/kit/http/repr-digest';
import { LINKS_BASE } from '@procurement/kit/runtime/config';
import { sha256Hex } from '@procurement/kit/runtime/ids';
import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '../config.ts';
import type { RequestContext } from '../request/request-context.ts';
import { urlInSegment } from '../generations/segment-urls.ts';
import { generationHeaders } from '../generations/v0.1/negotiate.ts';

/** Settings of response headers. */
export interface ResponseSettings {
  /** Scheme and host of the links that services and codecs write, without a trailing slash. */
  readonly base: string;
  /** PUBLIC_BASE_URL is not set: `base` is replaced by the address of the request before an answer is sent. */
  readonly followsRequest: boolean;
  readonly sandbox: boolean;
  /** Value of the `SERVER_ID` cookie: the same for all clients and all replicas. */
  readonly serverId: string;
}

/** The settings of a process. `serverId` is equal on all replicas and after restarts: a client that sees its cookie change starts over. */
export function makeResponseSettings({
  PUBLIC_BASE_URL,
  SANDBOX_MODE,
}: Pick<Config, 'PUBLIC_BASE_URL' | 'SANDBOX_MODE'>): ResponseSettings {
  const base = PUBLIC_BASE_URL.replace(/\/$/, '');
  return {
    base,
    followsRequest: base === LINKS_BASE,
    sandbox: SANDBOX_MODE,
    serverId: sha256Hex(`server ${base}`).slice(0, 32),
  };
}

/** What scripts of other origins may read. */
const EXPOSED_HEADERS =
  'X-Request-ID, X-Client-Request-ID, ETag, Retry-After, X-Feed-Position, Repr-Digest, Ignored-Members, Procurement-Receipt';

/**
 * Headers of every response (http.md 5.2, 5.3, 5.5, 1.7). Some clients do not start without a cookie: it is sent to requests that
 * have none, never required and never read.
 */
export function responseHeaders(
  context: RequestContext,
  request: { readonly method: string; readonly headers: IncomingHttpHeaders },
  settings: ResponseSettings,
): Record<string, string> {
  const headers: Record<string, string> = {
    'x-request-id': context.requestId,
    'x-content-type-options': 'nosniff',
    vary: 'Accept-Encoding',
    ...(context.generation01 === undefined ? {} : generationHeaders(context.generation01)),
  };
  if (context.clientRequestId !== undefined) headers['x-client-request-id'] = context.clientRequestId;
  if (context.rateLimitHeaders !== undefined) Object.assign(headers, context.rateLimitHeaders);
  if (settings.sandbox) headers['x-sandbox'] = '1';
  if (context.path.startsWith('/api/') && !(request.headers.cookie ?? '').includes('SERVER_ID=')) {
    headers['set-cookie'] = `SERVER_ID=${settings.serverId}; Path=/`;
  }
  if (request.method === 'GET' || request.method === 'HEAD') {
    headers['cache-control'] = request.headers.authorization === undefined ? 'no-cache' : 'private, no-store';
    headers['access-control-allow-origin'] = '*';
    headers['access-control-expose-headers'] = EXPOSED_HEADERS;
  }
  return headers;
}

// An allow-list: internal and hop-by-hop headers of a service never reach a client (http.md 5.3).
const ALLOWED_RESPONSE_HEADERS = [
  'content-type',
  'content-length',
  'content-disposition',
  'content-range',
  'content-security-policy',
  'accept-ranges',
  'last-modified',
  'cache-control',
  'retry-after',
  'x-feed-position',
  REPR_DIGEST_HEADER,
  IGNORED_MEMBERS_HEADER,
  'x-accel-buffering',
  'allow',
  'www-authenticate',
] as const;

/** The headers of a service's response that are sent to the client, with address and ETag of the request's segment. */
export function allowedResponseHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  urlBase: { readonly base: string; readonly segment: string },
): Record<string, string> {
  const allowed: Record<string, string> = {};
  for (const name of ALLOWED_RESPONSE_HEADERS) {
    const value = headers[name];
    if (typeof value === 'string') allowed[name] = value;
  }
  const { location, etag, [RECEIPT_HEADER]: receipt } = headers;
  if (typeof location === 'string') allowed['location'] = urlInSegment(location, urlBase);
  if (typeof receipt === 'string' && RECEIPT_SEGMENTS.has(urlBase.segment)) allowed[RECEIPT_HEADER] = receipt;
  if (typeof etag === 'string') allowed['etag'] = etag.replace(/-2\.5"$/, `-${urlBase.segment}"`);
  return allowed;
}
