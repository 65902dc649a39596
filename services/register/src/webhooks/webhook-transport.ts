import { lookup as resolve, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { monotonicMs } from '@procurement/kit/runtime/clock';
import { Agent, request, type Dispatcher } from 'undici';
import type { AttemptOutcome } from './domain/webhook.ts';
import { isAddressAllowed, isUrlAllowed, parseLiteral, type AddressPolicy } from './webhook-address.ts';
import { toError } from '@procurement/kit/runtime/to-error';

/** Resolves a name to all its addresses. */
export type ResolveName = (host: string) => Promise<readonly LookupAddress[]>;

export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Limit of the whole attempt. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export interface TransportAnswer extends AttemptOutcome {
  /** The beginning of the response body, for the challenge. Never stored, logged or shown. */
  readonly text: string;
}

/** Sends requests to addresses that brokers choose (register.md 5.6). */
export interface WebhookTransport {
  /** Never throws. */
  post(request: WebhookRequest): Promise<TransportAnswer>;
  close(): Promise<void>;
}

const CONNECT_MS_MAX = 5_000;
const HEADERS_BYTES_MAX = 16 * 1024;
const RESPONSE_BYTES_MAX = 64 * 1024;
const KEEP_ALIVE_MS = 4_000;
const USER_AGENT = 'procurement-webhooks/0.1.0';
const THROTTLED: readonly number[] = [429, 502, 503, 504];

class AddressRefusedError extends Error {
  readonly code = 'ADDRESS_REFUSED';
}

const resolveAll: ResolveName = async (host) =>
  new Promise((settle, fail) => {
    resolve(host, { all: true, verbatim: true }, (error, addresses) =>
      error === null ? settle(addresses) : fail(error),
    );
  });

/**
 * Every connection resolves its host anew, requires every address to be allowed, and goes to one of those that were checked: no
 * answer of DNS in between can change it. A connection is kept for 4 s at most between two deliveries.
 */
export function makeWebhookTransport(policy: AddressPolicy, resolveName: ResolveName = resolveAll): WebhookTransport {
  const agent = new Agent({
    connect: { lookup: checkedLookup(policy, resolveName), timeout: CONNECT_MS_MAX },
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: HEADERS_BYTES_MAX,
    pipelining: 1,
  });
  return {
    async post(sent) {
      const startedMs = monotonicMs();
      const milliseconds = (): number => Math.round(monotonicMs() - startedMs);
      if (!isAllowedNow(sent.url, policy)) return { ok: false, error: 'address-refused', milliseconds: 0, text: '' };
      try {
        const answer = await send(agent, sent);
        return { ...answer, milliseconds: milliseconds() };
      } catch (error) {
        return { ok: false, error: errorClass(error), milliseconds: milliseconds(), text: '' };
      }
    },
    close: async () => agent.destroy(),
  };
}

/** The settings may have changed since the webhook was made, and no name is resolved for a literal. */
function isAllowedNow(url: string, policy: AddressPolicy): boolean {
  if (!isUrlAllowed(url, policy)) return false;
  const literal = parseLiteral(new URL(url).hostname);
  return literal === undefined || isAddressAllowed(literal, policy);
}

function checkedLookup(policy: AddressPolicy, resolveName: ResolveName): LookupFunction {
  return (host, options, callback) => {
    resolveName(host).then(
      (addresses) => {
        const [first] = addresses;
        const isAllowed = addresses.every(({ address }) => isAddressAllowed(address, policy));
        if (first === undefined || !isAllowed) callback(new AddressRefusedError('address refused'), []);
        else if (options.all === true) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => callback(toError(error), []),
    );
  };
}

async function send(
  dispatcher: Dispatcher,
  { url, headers, body, timeoutMs, signal }: WebhookRequest,
): Promise<Omit<TransportAnswer, 'milliseconds'>> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const response = await request(url, {
    dispatcher,
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'user-agent': USER_AGENT },
    body,
    signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });
  const { statusCode: status } = response;
  const text = await readStart(response.body);
  const ok = status >= 200 && status < 300;
  const retryAfterSeconds = THROTTLED.includes(status) ? parseRetryAfter(response.headers['retry-after']) : undefined;
  return { ok, status, text, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
}

/** Reads at most 64 kB, and closes the connection when there is more. */
async function readStart(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    // Safe cast: the body of undici is a stream of buffers.
    chunks.push(chunk as Buffer);
    bytes += (chunk as Buffer).length;
    if (bytes > RESPONSE_BYTES_MAX) break;
  }
  return Buffer.concat(chunks).subarray(0, RESPONSE_BYTES_MAX).toString();
}

/** Whole seconds; a date is not read. */
function parseRetryAfter(header: string | string[] | undefined): number | undefined {
  return typeof header === 'string' && /^\d{1,9}$/.test(header) ? Number(header) : undefined;
}

/** What the owner sees of an error, by the code of Node or undici. */
const ERROR_CLASSES: Readonly<Record<string, string>> = {
  ADDRESS_REFUSED: 'address-refused',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  ECONNREFUSED: 'connect',
  EHOSTUNREACH: 'connect',
  ENETUNREACH: 'connect',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'headers',
};

function errorClass(error: unknown): string {
  if (!(error instanceof Error)) return 'failed';
  if (error.name === 'TimeoutError') return 'timeout';
  if (error.name === 'AbortError') return 'aborted';
  // With several addresses Node throws one error for all attempts.
  const [first]: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
  const code = errorCodeOf(first) ?? errorCodeOf(error) ?? '';
  if (/CERT|TLS|SSL|ALTNAME|EPROTO|SELF_SIGNED|UNABLE_TO/.test(code)) return 'tls';
  return ERROR_CLASSES[code] ?? 'connection';
}

function errorCodeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
