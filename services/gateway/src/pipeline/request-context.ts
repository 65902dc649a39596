import type { Caller } from '../auth/caller.ts';
import type { IdempotencyClaim } from '../idempotency/idempotency-key.ts';
import type { Generation01, JsonObject } from '../generations/codec.ts';
import type { PathEntry } from '../routes.table.ts';

/**
 * What the gateway knows of one request, gathered in the order of checks. Lives on the request (`request.exchange`) and
 * nowhere else.
 */
export interface RequestContext {
  readonly requestId: string;
  /** The client's own id, when it is well formed: logged, passed on, echoed. */
  readonly clientRequestId?: string;
  readonly path: string;
  /** Without question mark and without the owner token. */
  readonly query: string;
  readonly queryTokens: readonly string[];
  readonly write: boolean;
  /** As sent. */
  readonly contentType?: string;
  /** Where it is routed; absent on our own endpoints and on unknown paths. */
  entry?: PathEntry;
  caller: Caller;
  /** The generation that answers on segment 0.1; set there for every request. */
  generation01?: Generation01;
  /** `data` of a request that a codec read, as it was sent: a refusal names what the client knows. */
  sent?: JsonObject;
  /** Set when the change depends on what is stored, and is made when that is read (proxy/stored-write.ts). */
  deferredData?: JsonObject;
  /** From the body, once it was read. */
  bodyToken?: string;
  pretty: boolean;
  /** Name of the function that an answer is wrapped in (JSONP). */
  jsonpCallback?: string;
  /** JSON of a write as the client sent it, without the token: by this a repeat is known, whatever a codec makes of it. */
  originalBody?: Buffer;
  /** Body of a JSON write, as it goes to the service. */
  body?: Buffer;
  /** Set when the answer is kept for repeats of the request. */
  idempotencyClaim?: IdempotencyClaim;
  /** Set when the body is not forwarded as JSON but stands for a refusal of the codec. */
  bodyContentType?: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before any other hook of ours runs. */
    context: RequestContext;
  }
}

const CLIENT_REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;
const WRITES: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** A header that may be repeated, as one text; undefined when absent. */
export function firstHeaderValue(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' || value === undefined ? value : value[0];
}

/** The client's id of its request, if it is of the form that we pass on (http.md 5.2). */
export function parseClientRequestId(header: string | readonly string[] | undefined): string | undefined {
  const text = firstHeaderValue(header);
  return text !== undefined && CLIENT_REQUEST_ID.test(text) ? text : undefined;
}

/** True for methods that change something. */
export function isWrite(method: string): boolean {
  return WRITES.has(method);
}

/** Path and query of a request target. */
export function splitTarget(target: string): { readonly path: string; readonly query: string } {
  const at = target.indexOf('?');
  return at < 0 ? { path: target, query: '' } : { path: target.slice(0, at), query: target.slice(at + 1) };
}

/**
 * True for a path that can name something: no empty parts (trailing or double slash, http.md 5.9) and nothing that an
 * address parser on the way would fold or cut off (`..`, backslash, `#`), in plain or escaped form.
 */
export function isNormalizedPath(path: string): boolean {
  if (path === '/') return true;
  if (path.endsWith('/') || path.includes('//') || path.includes('\\') || path.includes('#')) return false;
  if (!path.includes('.') && !path.includes('%')) return true;
  return path.split('/').every((part) => !UNSAFE_PATH_PART.test(part));
}

// A part that is `.` or `..`, or that hides a slash, a backslash or a control character behind an escape.
const UNSAFE_PATH_PART = /^(?:\.|%2e){1,2}$|%2f|%5c|%[01][0-9a-f]/i;
