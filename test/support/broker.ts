import { setTimeout as pause } from 'node:timers/promises';

// Bodies are whatever the service said; each test states what it expects of them.
export type Json = any;

/** An answer with its text kept: number forms such as `500.0` do not survive parsing. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Json;
}

export interface RequestOptions {
  readonly data?: unknown;
  /** The whole body, in place of `{"data": data}`. */
  readonly raw?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A client of the API as a broker's program would write it: key, segment, and paths below `/api/<segment>`. */
export interface Broker {
  request(method: string, path: string, options?: RequestOptions): Promise<ApiResponse>;
  get(path: string, options?: RequestOptions): Promise<ApiResponse>;
  post(path: string, data: unknown, options?: RequestOptions): Promise<ApiResponse>;
  patch(path: string, data: unknown, options?: RequestOptions): Promise<ApiResponse>;
  put(path: string, data: unknown, options?: RequestOptions): Promise<ApiResponse>;
}

/** `key` undefined is an anonymous reader. */
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
    return { status: response.status, headers: response.headers, text, body: parseJson(text) };
  };
  return clientFrom(request);
}

/** A client with all its verbs, by how it sends a request. */
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

/** Asks again until the condition holds; fails with what it waited for. */
export async function until<T>(
  what: string,
  condition: () => Promise<T | undefined | false>,
  timeoutMs = 20_000,
): Promise<T> {
  const deadlineMs = performance.now() + timeoutMs;
  for (;;) {
    const value = await condition();
    if (value !== undefined && value !== false) return value;
    if (performance.now() > deadlineMs) throw new Error(`Waited ${timeoutMs} ms for: ${what}`);
    await pause(25);
  }
}
