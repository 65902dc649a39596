import type { Answer } from './find-faults.ts';
import type { PlannedRequest } from './requests.ts';
import type { World } from './world.ts';

/** Beyond it a request counts as hanging. */
const TIMEOUT_MS = 60_000;

/** A planned request with the ids and tokens of a world. */
export interface RenderedRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
}

export function render(
  { operation, method, parameters, query, key, token, headers, body }: PlannedRequest,
  world: World,
): RenderedRequest {
  let at = 0;
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const chosen = parameters[at++] ?? 0;
    return typeof chosen === 'string' ? encoded(chosen) : nth(selectIds(world, name), chosen);
  });
  const accessToken = typeof token === 'number' ? nth(world.tokens, token) : token;
  const pairs = [...query, ...(accessToken === undefined ? [] : [['acc_token', accessToken] as const])];
  const search = pairs.map(([name, value]) => `${name}=${encoded(value)}`).join('&');
  return {
    method,
    target: search === '' ? path : `${path}?${search}`,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body,
  };
}

/** Segment 0.1 calls bids bidders; ids of other objects are ids that do not exist. */
function selectIds({ ids }: World, name: string): readonly string[] {
  return ids[name.replace('bidder_id', 'bid_id')] ?? ['0'.repeat(32)];
}

function nth(values: readonly string[], n: number): string {
  return values[n % values.length] ?? 'none';
}

/** Halves of surrogate pairs have no UTF-8; what replaces them is hostile enough. */
function encoded(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}

/** Sends a request and reads the whole answer; of an answer without an end only the head. */
export async function send(gatewayUrl: string, { method, target, headers, body }: RenderedRequest): Promise<Answer> {
  const answer = await fetch(gatewayUrl + target, {
    method,
    headers,
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(body === undefined ? {} : { body }),
  });
  const isEndless = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (isEndless) await answer.body?.cancel();
  return { status: answer.status, headers: answer.headers, text: isEndless ? '' : await answer.text() };
}

const SHOWN_MAX = 2_000;

/** The request as a person repeats it. */
export function describeRequest({ method, target, headers, body }: RenderedRequest): string {
  const text = body === undefined ? '' : typeof body === 'string' ? body : Buffer.from(body).toString('latin1');
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${target}`, ...lines, text].join('\n').slice(0, SHOWN_MAX);
}
