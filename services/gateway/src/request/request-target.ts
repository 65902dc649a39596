import type { IncomingMessage } from 'node:http';
import type { Segment } from '@procurement/contracts/api/route';
import { SEGMENTS } from '../generations/segments.ts';

const CLIENT_REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;
const WRITES: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** The first value of a header that may be repeated; undefined when absent. */
export function firstHeaderValue(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' || value === undefined ? value : value[0];
}

/** `X-Client-Request-ID`, undefined when it is not well formed (http.md 5.2). */
export function parseClientRequestId(header: string | readonly string[] | undefined): string | undefined {
  const text = firstHeaderValue(header);
  return text !== undefined && CLIENT_REQUEST_ID.test(text) ? text : undefined;
}

/** True for POST, PUT, PATCH and DELETE. */
export function isWrite(method: string): boolean {
  return WRITES.has(method);
}

/** Path and query of a request target. */
export function splitTarget(target: string): { readonly path: string; readonly query: string } {
  const at = target.indexOf('?');
  return at < 0 ? { path: target, query: '' } : { path: target.slice(0, at), query: target.slice(at + 1) };
}

/**
 * True for a path without empty parts (trailing or double slash, http.md 5.9) and without anything that a URL parser on the way
 * would normalize or cut off (`..`, backslash, `#`), in plain or escaped form. An escape that hides a character which needs none
 * (`/%61pi`) is such a thing too: the router decodes it, and whoever compares the text of the path does not.
 */
export function isNormalizedPath(path: string): boolean {
  if (path === '/') return true;
  if (path.endsWith('/') || path.includes('//') || path.includes('\\') || path.includes('#')) return false;
  if (!path.includes('.') && !path.includes('%')) return true;
  return path.split('/').every((part) => !UNSAFE_PATH_PART.test(part));
}

// A part that is `.` or `..`, or that contains an escaped slash, backslash, control character or unreserved character (RFC 3986 2.3).
const UNSAFE_PATH_PART = /^\.{1,2}$|%2f|%5c|%[01][0-9a-f]|%2[de]|%3[0-9]|%4[1-9a-f]|%5[0-9af]|%6[1-9a-f]|%7[0-9ae]/i;

/** Clients of older segments compare whole bodies. An unknown segment has no clients yet (http.md 4.6). */
export function explainsErrors(url: string): boolean {
  const [, api, segment = ''] = splitTarget(url).path.split('/');
  const generations: Readonly<Record<string, Segment>> = SEGMENTS;
  return api === 'api' && (!Object.hasOwn(generations, segment) || generations[segment] === '2.5');
}

/** False for HTTP/1.1 without `Host`, and for several: whoever reads another one than the gateway would link elsewhere (RFC 9112 3.2). */
export function hasOneHost({
  rawHeaders,
  httpVersionMinor,
}: Pick<IncomingMessage, 'rawHeaders' | 'httpVersionMinor'>): boolean {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === HOST_HEADER.length && name.toLowerCase() === HOST_HEADER) count += 1;
  }
  return count === 1 || (count === 0 && httpVersionMinor === 0);
}

const HOST_HEADER = 'host';
