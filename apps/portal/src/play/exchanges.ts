import { createClient, type Fetch, type ProcurementClient } from '@procurement/client';
import { KEYS, type Player } from './keys.ts';

/** A request of a step and its answer, as they went over the wire. */
export interface Exchange {
  readonly player: Player;
  readonly method: string;
  /** Path and query at the API. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly status: number;
  readonly answerHeaders: Readonly<Record<string, string>>;
  readonly answer: string;
  readonly ms: number;
}

/** An answer did not say that it comes from a sandbox. Nothing more is sent. */
export class SandboxLostError extends Error {}

export interface RecorderOptions {
  readonly apiUrl: string;
  readonly fetch: Fetch;
  readonly monotonicMs: () => number;
  readonly pause: (ms: number) => Promise<undefined>;
  /** The visitor whose requests the gateway counts. */
  readonly visitor: string;
  readonly requestId: string;
  /** A key of run and step: the n-th POST of a repeated step has the key of the first time, and so repeats nothing. */
  readonly idempotencyKey: (n: number) => string;
}

/** Clients of the players, what they exchanged, and whether the API still said that it is a sandbox. */
export interface Recorder {
  readonly clients: Readonly<Record<Player, ProcurementClient>>;
  readonly exchanges: readonly Exchange[];
  /** A client for what the page itself wants to know. Its requests are not shown. */
  readonly unseen: ProcurementClient;
  /** Throws unless `/health` says that the API is a sandbox. */
  readonly requireSandbox: () => Promise<void>;
  readonly isSandboxLost: () => boolean;
}

const CALL_MS_MAX = 5000;
const RETRY = { attemptsMax: 3, firstDelayMs: 100, delayMsMax: 400, retryAfterMsMax: 1000 };
const SHOWN_HEADERS = ['content-type', 'location', 'x-request-id', 'x-sandbox', 'retry-after', 'ignored-members'];

export function makeRecorder(options: RecorderOptions): Recorder {
  const { apiUrl, monotonicMs, visitor, requestId, idempotencyKey } = options;
  const exchanges: Exchange[] = [];
  const keys = new Map<string, string>();
  let isLost = false;

  const guardedFetch: Fetch = async (address, init) => {
    if (isLost) throw new SandboxLostError();
    const response = await options.fetch(address, {
      ...init,
      headers: { ...headersOf(init), 'x-forwarded-for': visitor, 'x-request-id': requestId },
    });
    if (response.headers.get('x-sandbox') !== '1') {
      isLost = true;
      throw new SandboxLostError();
    }
    return response;
  };

  const recordingFetch =
    (player: Player): Fetch =>
    async (address, init) => {
      const sent = headersOf(init);
      const own = sent['idempotency-key'];
      // An attempt that the client repeats has the key of the one before.
      if (own !== undefined) sent['idempotency-key'] = keys.get(own) ?? idempotencyKey(keys.size + 1);
      if (own !== undefined) keys.set(own, sent['idempotency-key'] ?? '');
      const beganMs = monotonicMs();
      const response = await guardedFetch(address, { ...init, headers: sent });
      const answer = await response.clone().text();
      exchanges.push({
        player,
        method: init.method ?? 'GET',
        path: address.slice(apiUrl.length),
        headers: sent,
        body: typeof init.body === 'string' ? init.body : undefined,
        status: response.status,
        answerHeaders: Object.fromEntries([...response.headers].filter(([name]) => SHOWN_HEADERS.includes(name))),
        answer,
        ms: Math.round(monotonicMs() - beganMs),
      });
      return response;
    };

  const clientWith = (fetch: Fetch, key: string | undefined): ProcurementClient =>
    createClient({
      url: apiUrl,
      ...(key === undefined ? {} : { key }),
      fetch,
      timeoutMs: CALL_MS_MAX,
      retry: RETRY,
      async wait(ms) {
        if (isLost) throw new SandboxLostError();
        await options.pause(ms);
      },
    });
  const makeClient = (player: Player): ProcurementClient => clientWith(recordingFetch(player), KEYS[player]);
  const unseen = clientWith(guardedFetch, undefined);

  return {
    clients: {
      buyer: makeClient('buyer'),
      seller1: makeClient('seller1'),
      seller2: makeClient('seller2'),
      auction: makeClient('auction'),
      anyone: makeClient('anyone'),
    },
    exchanges,
    unseen,
    async requireSandbox() {
      const { body } = await unseen.send({ method: 'GET', path: '/health' });
      if ('sandbox' in body && body.sandbox === true) return;
      isLost = true;
      throw new SandboxLostError();
    },
    isSandboxLost: () => isLost,
  };
}

/** The client sends headers as an object. */
function headersOf({ headers = {} }: RequestInit): Record<string, string> {
  return Object.fromEntries(new Headers(headers));
}

/** The request as a command of a shell, for the address by which visitors reach the API. */
export function formatCurl({ method, path, headers, body }: Exchange, apiUrl: string): string {
  const isPlain = method === 'GET' || (method === 'POST' && body !== undefined);
  return [
    `curl ${isPlain ? '' : `-X ${method} `}${quoted(apiUrl + path)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${headerName(name)}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(pretty(body))}`]),
  ].join(' \\\n  ');
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** `content-type` as people write it. */
export function headerName(name: string): string {
  return name.replaceAll(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase());
}

/** JSON with a line for each member; any other text as it is. */
export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
