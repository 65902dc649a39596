import { setTimeout as pause } from 'node:timers/promises';

/** The base that links have inside of a system without `PUBLIC_BASE_URL`, which nobody outside may get (decision 0072). */
export const INNER_BASE = 'gateway.invalid';

// The body of an answer; each test asserts its shape.
export type Json = any;

/** An answer. `text` keeps number forms such as `500.0`, which parsing loses. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Json;
}

export interface RequestOptions {
  readonly data?: unknown;
  /** The whole body, instead of `{"data": data}`. */
  readonly raw?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A client of the API with a key and a segment. Paths are below `/api/<segment>`. */
export interface Broker {
  request(method: string, path: string, options?: RequestOptions): Promise<ApiResponse>;
  get(path: string, options?: RequestOptions): Promise<ApiResponse>;
  post(path: string, data: unknown, options?: RequestOptions): Promise<ApiResponse>;
  patch(path: string, data: unknown, options?: RequestOptions): Promise<ApiResponse>;
  put(path: string, data: unknown, options?: RequestOptions): Promise<ApiResponse>;
}

/** The client is anonymous without `key`. It throws when an answer has links of `INNER_BASE`. */
export function broker(gatewayUrl: string, key: string | undefined, segment = '2.3'): Broker {
  const authorization =
    key === undefined ? {} : { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` };
  const request: Broker['request'] = async (method, path, options = {}) => {
    const body = options.raw ?? (options.data === undefined ? undefined : JSON.stringify({ data: options.data }));
    const response = await fetch(`${gatewayUrl}/api/${segment}${path}`, {
      method,
      headers: {
        ...authorization,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    const location = response.headers.get('location') ?? '';
    if (`${location}${text}`.includes(INNER_BASE)) throw new Error(`${method} ${path} answers ${INNER_BASE}: ${text}`);
    return { status: response.status, headers: response.headers, text, body: parseJson(text) };
  };
  return clientFrom(request);
}

const PATIENCE_MS_MAX = 120_000;
const RETRY_MS = 200;

/**
 * A client that repeats what is answered 503 with `Retry-After`, as brokers do: nothing has happened then. For tests whose services are
 * all up, where a 503 only says that one of them was slow.
 */
export function patientBroker(gatewayUrl: string, key: string | undefined, segment?: string): Broker {
  const client = broker(gatewayUrl, key, segment);
  return clientFrom(async (method, path, options) => {
    const giveUpAtMs = performance.now() + PATIENCE_MS_MAX;
    for (;;) {
      const answer = await client.request(method, path, options);
      const mayRepeat = answer.status === 503 && answer.headers.has('retry-after');
      if (!mayRepeat || performance.now() > giveUpAtMs) return answer;
      await pause(RETRY_MS);
    }
  });
}

/** Makes a client from the function that sends its requests. */
export function clientFrom(request: Broker['request']): Broker {
  return {
    request,
    get: async (path, options) => request('GET', path, options),
    post: async (path, data, options) => request('POST', path, { data, ...options }),
    patch: async (path, data, options) => request('PATCH', path, { data, ...options }),
    put: async (path, data, options) => request('PUT', path, { data, ...options }),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Waits before a client that was not answered asks again. Without this, writers take the processor from services that start. */
export async function pauseBeforeRetry(): Promise<void> {
  await pause(50);
}

/** The answer to a read with `at_least`: 503 while the register has not come so far, which takes long on a slow machine. */
export async function getReached(client: Broker, path: string): Promise<ApiResponse> {
  return until(`the register to answer ${path}`, async () => {
    const answer = await client.get(path);
    return answer.status !== 503 && answer;
  });
}

/** Polls every 25 ms until the condition holds. Throws with `what` after the timeout. */
export async function until<T>(
  what: string,
  condition: () => Promise<T | undefined | false>,
  timeoutMs = 120_000,
): Promise<T> {
  const deadlineMs = performance.now() + timeoutMs;
  for (;;) {
    const value = await condition();
    if (value !== undefined && value !== false) return value;
    if (performance.now() > deadlineMs) throw new Error(`Waited ${timeoutMs} ms for: ${what}`);
    await pause(25);
  }
}
