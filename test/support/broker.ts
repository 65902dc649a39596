import { setTimeout as pause } from 'node:timers/promises';

// Bodies are whatever the service said; each test states what it expects of them.
export type Json = any;

/** An answer with its text kept: number forms such as `500.0` do not survive parsing. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Json;
}

export interface Wish {
  readonly data?: unknown;
  /** The whole body, in place of `{"data": data}`. */
  readonly raw?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A client of the API as a broker's program would write it: key, segment, and paths below `/api/<segment>`. */
export interface Broker {
  request(method: string, path: string, wish?: Wish): Promise<Answer>;
  get(path: string, wish?: Wish): Promise<Answer>;
  post(path: string, data: unknown, wish?: Wish): Promise<Answer>;
  patch(path: string, data: unknown, wish?: Wish): Promise<Answer>;
  put(path: string, data: unknown, wish?: Wish): Promise<Answer>;
}

/** `key` undefined is an anonymous reader. */
export function broker(gatewayUrl: string, key: string | undefined, segment = '2.3'): Broker {
  const authorization =
    key === undefined ? {} : { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` };
  const request: Broker['request'] = async (method, path, wish = {}) => {
    const body = wish.raw ?? (wish.data === undefined ? undefined : JSON.stringify({ data: wish.data }));
    const response = await fetch(`${gatewayUrl}/api/${segment}${path}`, {
      method,
      headers: {
        ...authorization,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...wish.headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parsed(text) };
  };
  return clientOf(request);
}

/** A client with all its verbs, by how it sends a request. */
export function clientOf(request: Broker['request']): Broker {
  return {
    request,
    get: async (path, wish) => request('GET', path, wish),
    post: async (path, data, wish) => request('POST', path, { data, ...wish }),
    patch: async (path, data, wish) => request('PATCH', path, { data, ...wish }),
    put: async (path, data, wish) => request('PUT', path, { data, ...wish }),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Asks again until the condition holds; fails with what it waited for. */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined | false>,
  timeoutMs = 20_000,
): Promise<T> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const found = await ask();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > end) throw new Error(`Waited ${timeoutMs} ms for: ${what}`);
    await pause(25);
  }
}
