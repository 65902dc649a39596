import { ConnectionError, readErrors, ProblemError, type RequestSummary } from './problem.ts';
import { isOutcomeUnknown, parseRetryAfterMs, retryDelayMs, type Failure, type RetryPolicy } from './retry.ts';
import type { Access, FeedLink } from './resources.golden.ts';
import { firstToken, type TokenStore } from './tokens.ts';

export interface RequestOptions {
  /** Ends the request and its repetitions. */
  readonly signal?: AbortSignal;
  /**
   * Key of a POST: the same request with the same key within 24 hours creates nothing new and gets the first answer. Give one to repeat
   * a request after the process was restarted; otherwise each call makes its own.
   */
  readonly idempotencyKey?: string;
  /** The object whose owner makes the request. Default: the innermost object of the path that has a token. */
  readonly as?: string;
  /** Refused as `stale` when the object has changed since the answer with this entity tag. */
  readonly ifMatch?: string;
  /** A PATCH is refused as `forbidden`, and changes nothing, when a member would be ignored (`onIgnored`). */
  readonly strict?: boolean;
  /** A write answers as if it were done, and changes nothing. Identifiers and tokens in the answer belong to no object. */
  readonly dryRun?: boolean;
}

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below the address of the installation. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as `{"data": data}`. */
  readonly data?: unknown;
  /** Sent beside `data`: a creation of a tender takes it. */
  readonly config?: unknown;
  readonly upload?: UploadBody;
  /** Objects whose tokens may go with the request, the innermost first. */
  readonly owners?: readonly string[];
  /** Sends neither key nor tokens. */
  readonly isAnonymous?: boolean;
  /** Sending it again has no further effect. A POST is repeatable by its idempotency key. */
  readonly isRepeatable?: boolean;
  readonly options?: RequestOptions;
}

export interface UploadBody {
  readonly contentType: string;
  readonly bytes: number;
  /** The body from its beginning, once for each attempt. */
  open(): Blob | ReadableStream<Uint8Array>;
}

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: ApiBody;
}

/** A body of the API. The caller of `send` names the type of `data` by the contract of the route. */
export interface ApiBody {
  readonly data?: unknown;
  readonly access?: Access;
  readonly next_page?: FeedLink;
  readonly prev_page?: FeedLink;
}

export interface RetryEvent {
  readonly request: RequestSummary;
  readonly delayMs: number;
  /** Absent when there was no answer. */
  readonly status?: number;
}

/** A change that was done without a part of it. */
export interface IgnoredEvent {
  readonly request: Pick<RequestSummary, 'method' | 'path'>;
  /** JSON Pointers into what was sent: the caller may not change these members now. */
  readonly members: readonly string[];
}

/** A bid was accepted, and the installation has signed so. */
export interface ReceiptEvent {
  readonly request: Pick<RequestSummary, 'method' | 'path'>;
  /** The header `Procurement-Receipt`, as `verify-procurement receipt` reads it from a file. */
  readonly receipt: string;
}

export type Fetch = (address: string, init: RequestInit) => Promise<Response>;

/** What requests need from outside. */
export interface TransportSettings {
  readonly url: string;
  readonly key: string | undefined;
  readonly tokens: TokenStore;
  readonly retry: RetryPolicy;
  readonly timeoutMs: number;
  readonly uploadTimeoutMs: number;
  readonly fetch: Fetch;
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly onRetry: (event: RetryEvent) => void;
  readonly onIgnored: (event: IgnoredEvent) => void;
  readonly onReceipt: (event: ReceiptEvent) => void;
}

export type Send = (request: ApiRequest) => Promise<ApiAnswer>;

/** Sends requests, repeats what may be repeated, and keeps the tokens that answers bring. */
export function makeSend(settings: TransportSettings): Send {
  return async (request) => {
    const headers = await buildHeaders(settings, request);
    const { answer } = await withRepetition(settings, request, async (signal) =>
      attempt(settings, request, headers, signal),
    );
    const about = { method: request.method, path: request.path };
    const members = ignoredIn(answer.headers);
    if (members.length > 0) settings.onIgnored({ request: about, members });
    const receipt = answer.headers.get('procurement-receipt');
    if (receipt !== null) settings.onReceipt({ request: about, receipt });
    // Tokens of a dry run belong to no object.
    if (request.options?.dryRun === true) return answer;
    const { data, access } = answer.body;
    // Every object of the API has an id.
    const { id } = (data ?? {}) as { readonly id?: string };
    if (access !== undefined && id !== undefined) await settings.tokens.set(id, access);
    return answer;
  };
}

/** The members of a change that had no effect. */
function ignoredIn(headers: Headers): readonly string[] {
  const header = headers.get('ignored-members') ?? '';
  return header === '' ? [] : header.split(',').map((pointer) => decodeURI(pointer.trim()));
}

/** An attempt that failed, with the error to throw if it is not repeated. */
export interface FailedAttempt {
  readonly failure: Failure;
  errorOf(request: RequestSummary): Error;
}

/** Calls until there is an answer or a failure that is not to be repeated. */
export async function withRepetition<T extends { readonly failure?: never }>(
  settings: TransportSettings,
  request: Pick<ApiRequest, 'method' | 'path' | 'isRepeatable' | 'options'>,
  call: (signal: AbortSignal | undefined) => Promise<T | FailedAttempt>,
): Promise<T> {
  const { method, path, isRepeatable = true, options = {} } = request;
  let isAfterLostAnswer = false;
  for (let attempts = 1; ; attempts += 1) {
    const result = await call(options.signal);
    if (result.failure === undefined) return result;
    const summary = { method, path, attempts, isAfterLostAnswer };
    const { failure, errorOf } = result;
    const delayMs = retryDelayMs(settings.retry, failure, { attempts, isRepeatable }, randomChance());
    if (delayMs === undefined) throw errorOf(summary);
    settings.onRetry({
      request: summary,
      delayMs,
      ...(failure.status === undefined ? {} : { status: failure.status }),
    });
    isAfterLostAnswer ||= isOutcomeUnknown(failure);
    await settings.wait(delayMs, options.signal);
  }
}

async function attempt(
  settings: TransportSettings,
  request: ApiRequest,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
): Promise<{ readonly answer: ApiAnswer; readonly failure?: never } | FailedAttempt> {
  const { method, path, upload, options } = request;
  const query =
    options?.dryRun === true && method !== 'GET' ? { ...request.query, opt_dry_run: '1' } : (request.query ?? {});
  const timeout = AbortSignal.timeout(upload === undefined ? settings.timeoutMs : settings.uploadTimeoutMs);
  try {
    const response = await settings.fetch(`${settings.url}${path}${queryText(query)}`, {
      method,
      headers,
      // The API never redirects these requests; another host must not get their headers.
      redirect: 'manual',
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      ...buildBody(request),
    });
    const text = await response.text();
    return response.ok
      ? // The envelope of every answer of the API.
        { answer: { status: response.status, headers: response.headers, body: JSON.parse(text) as ApiBody } }
      : makeRefusal(response, text);
  } catch (error) {
    signal?.throwIfAborted();
    return { failure: {}, errorOf: (summary) => new ConnectionError(summary, error) };
  }
}

/** The failure of an answer that is no success. */
export function makeRefusal(response: Response, text: string): FailedAttempt {
  const { status, headers } = response;
  const retryAfterMs = parseRetryAfterMs(headers);
  const requestId = headers.get('x-request-id') ?? undefined;
  const errors = readErrors(parsed(text));
  return {
    failure: { status, retryAfterMs },
    errorOf: (summary) => new ProblemError(summary, { status, errors, requestId, retryAfterMs }),
  };
}

async function buildHeaders(settings: TransportSettings, request: ApiRequest): Promise<Record<string, string>> {
  const { method, data, upload, options = {} } = request;
  return {
    ...(data === undefined ? {} : { 'content-type': 'application/json' }),
    // fetch sends a body of unknown length in chunks, and the gateway recognises a repeated upload by its length (decision 0017).
    ...(upload === undefined ? {} : { 'content-type': upload.contentType, 'content-length': String(upload.bytes) }),
    ...(method === 'POST' ? { 'idempotency-key': options.idempotencyKey ?? randomHex() } : {}),
    ...(options.strict === true ? { prefer: 'handling=strict' } : {}),
    ...(options.ifMatch === undefined ? {} : { 'if-match': options.ifMatch }),
    ...(await credentialHeaders(settings, request)),
  };
}

/** Key and owner token. Never in the address: addresses are logged and shared. */
export async function credentialHeaders(
  { key, tokens }: Pick<TransportSettings, 'key' | 'tokens'>,
  { owners = [], isAnonymous = false, options = {} }: Pick<ApiRequest, 'owners' | 'isAnonymous' | 'options'>,
): Promise<Record<string, string>> {
  if (key === undefined || isAnonymous) return {};
  const token = await firstToken(tokens, options.as === undefined ? owners : [options.as]);
  return { authorization: `Bearer ${key}`, ...(token === undefined ? {} : { 'x-access-token': token }) };
}

/**
 * `duplex` is required for streams. Without the other two, fetch of Node copies the stream, to send it again after a redirect, and
 * holds the whole file in memory. The API redirects no upload. The types of fetch have no `duplex`.
 */
const STREAMED = { duplex: 'half', window: null, redirect: 'error' } as RequestInit;

function buildBody({ data, config, upload }: ApiRequest): RequestInit {
  if (upload === undefined) return data === undefined ? {} : { body: JSON.stringify({ config, data }) };
  const body = upload.open();
  return body instanceof Blob ? { body } : { body, ...STREAMED };
}

export function queryText(query: Readonly<Record<string, string>>): string {
  const text = new URLSearchParams(query).toString();
  return text === '' ? '' : `?${text}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** 32 hexadecimal characters. `randomUUID` does not exist on pages that came over plain HTTP. */
export function randomHex(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function randomChance(): number {
  const [value = 0] = crypto.getRandomValues(new Uint32Array(1));
  return value / 2 ** 32;
}

/** Parameters as texts, without those that are not given. */
export function buildQuery(
  query: Readonly<Record<string, string | number | undefined>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}
