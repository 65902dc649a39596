import { createHash } from 'node:crypto';
import type { Clock } from '@procurement/kit/runtime/clock';
import { LRUCache } from 'lru-cache';
import type { Dispatcher } from 'undici';

/** The visitor for whom the portal asks: the gateway counts requests by his address. */
export interface Visitor {
  readonly address: string;
  readonly requestId: string;
  /** `monotonic` milliseconds by which the page must have its answers. */
  readonly deadlineMs: number;
}

/** What the API said. Bodies of refusals are read too. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  /** Changes with the answer: its entity tag, or a hash of its text. */
  readonly tag: string;
  readonly retryAfter?: string;
  readonly isSandbox: boolean;
  /** When a kept answer that stands for one that could not be read was read: milliseconds since 1970. */
  readonly keptSinceMs?: number;
}

/** The API did not answer, answered 5xx, or with what is no JSON. */
export class ApiAwayError extends Error {}

/** Reads a path of the gateway, such as `/api/2.5/tenders/…`. One attempt: a visitor reloads when it suits him. */
export type ReadApi = (path: string, visitor: Visitor) => Promise<Answer>;

export interface ReadApiDeps {
  readonly dispatcher: Dispatcher;
  readonly apiUrl: string;
  readonly cacheBytes: number;
  readonly clock: Clock;
  /** Milliseconds of a clock that never jumps. */
  readonly monotonicMs: () => number;
  readonly onCall: (call: string, status: string, seconds: number) => void;
}

const TOO_MANY = 429;
const CALL_MS_MAX = 2000;
const ANSWER_BYTES_MAX = 8_000_000;
/** A younger answer is used without asking. */
const FRESH_MS = 1000;
/** An older one is not used when the API is away. */
const KEPT_MS_MAX = 600_000;

interface Kept {
  readonly answer: Answer;
  readonly bytes: number;
  readonly hasEtag: boolean;
  readonly askedMs: number;
  readonly askedAtMs: number;
}

/** Answers are kept by address; simultaneous calls of one address share one answer. */
export function makeReadApi({ dispatcher, apiUrl, cacheBytes, clock, monotonicMs, onCall }: ReadApiDeps): ReadApi {
  const kept = new LRUCache<string, Kept>({ maxSize: cacheBytes, sizeCalculation: ({ bytes }) => bytes + 500 });
  const running = new Map<string, Promise<Answer>>();

  async function ask(path: string, { address, requestId, deadlineMs }: Visitor): Promise<Answer> {
    const known = kept.get(path);
    const askedMs = monotonicMs();
    const timeoutMs = Math.max(1, Math.min(CALL_MS_MAX, deadlineMs - askedMs));
    const { statusCode, headers, body } = await dispatcher.request({
      origin: apiUrl,
      path,
      method: 'GET',
      headers: {
        accept: 'application/json',
        'x-forwarded-for': address,
        'x-request-id': requestId,
        ...(known === undefined || !known.hasEtag ? {} : { 'if-none-match': known.answer.tag }),
      },
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (statusCode === 304 && known !== undefined) {
      await body.dump();
      kept.set(path, { ...known, askedMs, askedAtMs: clock.now() / 1000 });
      return known.answer;
    }
    const text = await readText(body);
    if (statusCode >= 500) throw new ApiAwayError(`the API answered ${statusCode}`);
    const { etag } = headers;
    const answer: Answer = {
      status: statusCode,
      body: parseJson(text),
      tag: typeof etag === 'string' ? etag : createHash('sha1').update(text).digest('base64url'),
      isSandbox: headers['x-sandbox'] === '1',
      ...textHeader('retryAfter', headers['retry-after']),
    };
    if (statusCode === 200)
      kept.set(path, {
        answer,
        bytes: Buffer.byteLength(text),
        hasEtag: etag !== undefined,
        askedMs,
        askedAtMs: clock.now() / 1000,
      });
    return answer;
  }

  async function askOrKept(path: string, visitor: Visitor): Promise<Answer> {
    const startedMs = monotonicMs();
    const say = (status: string): void => onCall(callLabel(path), status, (monotonicMs() - startedMs) / 1000);
    try {
      const answer = await ask(path, visitor);
      say(`${Math.floor(answer.status / 100)}xx`);
      return answer;
    } catch (error) {
      say('away');
      const known = kept.get(path);
      if (known !== undefined && monotonicMs() - known.askedMs < KEPT_MS_MAX)
        return { ...known.answer, keptSinceMs: known.askedAtMs };
      throw error instanceof ApiAwayError ? error : new ApiAwayError(String(error), { cause: error });
    }
  }

  return async (path, visitor) => {
    const known = kept.get(path);
    if (known !== undefined && monotonicMs() - known.askedMs < FRESH_MS) return known.answer;
    const shared = running.get(path);
    if (shared !== undefined) {
      const answer = await shared;
      // Rates are counted by visitor: that of another one says nothing about this one.
      return answer.status === TOO_MANY ? askOrKept(path, visitor) : answer;
    }
    const asked = askOrKept(path, visitor).finally(() => running.delete(path));
    running.set(path, asked);
    return asked;
  };
}

/** The last fixed word of a path, as the label of a metric: ids would be labels without end. */
function callLabel(path: string): string {
  const words = path.replace(/\?.*$/, '').split('/');
  return words.findLast((word) => /^[a-z]+$/.test(word)) ?? 'other';
}

async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of body) {
    bytes += part.length;
    if (bytes > ANSWER_BYTES_MAX) throw new ApiAwayError('the answer is larger than 8 MB');
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiAwayError('the answer is no JSON');
  }
}

function textHeader(name: string, value: string | string[] | undefined): Readonly<Record<string, string>> {
  return typeof value === 'string' ? { [name]: value } : {};
}
