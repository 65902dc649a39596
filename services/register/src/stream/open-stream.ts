import { problem, unavailable, type ProblemCode } from '@procurement/contracts/problems/problems';
import { SECOND } from '@procurement/contracts/reading/instant';
import type { Handler } from '@procurement/kit/http/mount';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import { monotonicMs } from '@procurement/kit/runtime/clock';
import type { FastifyRequest } from 'fastify';
import type { StreamDeps } from './deps.ts';
import { filterKey, FILTER_PARAMETERS, type Filter } from '../requests/domain/filters.ts';
import { anyText, flag, position, wholeNumber } from '../requests/domain/parameters.ts';
import { helloFrames } from './domain/stream-frames.ts';
import { readQuery } from '../requests/read-query.ts';
import { makeReader } from './stream-reader.ts';
import { requireBroker } from '../requests/caller.ts';

const HEARTBEAT_SECONDS_DEFAULT = 15;
const POSITION_CHARACTERS_MAX = 64;
const AHEAD_MAX = 60 * SECOND;
const AGE_MS = 3_600_000;
const GROUPS_MAX = 1_000;

const PARAMETERS = {
  ...FILTER_PARAMETERS,
  heartbeat: wholeNumber(5, 60),
  expand: flag,
  offset: anyText(POSITION_CHARACTERS_MAX),
  lastEventId: anyText(POSITION_CHARACTERS_MAX),
} as const;

const HEADERS = {
  'content-type': 'text/event-stream; charset=UTF-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
} as const;

/** `GET /stream`: changes of tenders as server-sent events (register.md 4). */
export function openStream(deps: StreamDeps): Handler {
  return async (request, reply) => {
    const {
      heartbeat = HEARTBEAT_SECONDS_DEFAULT,
      offset,
      lastEventId,
      expand = false,
      ...filter
    } = readQuery(request, PARAMETERS, {
      isFormatted: false,
    });
    const asked = readStart(deps, request, { offset, lastEventId });
    const expandedFor = expand ? requireBroker(request).broker : undefined;
    const head = await deps.streamStore.head();
    if (head === undefined) throw new ProblemError(unavailable(5));
    // Nothing is awaited from here on, so that no other request takes the place.
    requirePlace(deps, expandedFor === undefined ? { filter } : 'expanded');
    if (request.method === 'HEAD') return reply.headers(HEADERS).send();
    const start = asked ?? deps.hub.position ?? head.position;
    reply.hijack();
    reply.raw.writeHead(200, HEADERS);
    reply.raw.write(helloFrames(start, heartbeat));
    const random = (): number => nextRandom(deps);
    const endsAtMs = monotonicMs() + AGE_MS * (0.9 + 0.2 * random());
    const options = { response: reply.raw, filter, heartbeatMs: heartbeat * 1_000, endsAtMs, position: start };
    deps.hub.add(makeReader(expandedFor === undefined ? options : { ...options, expandedFor }, random));
    return reply;
  };
}

/** Throws 503 when the process has as many streams as it may, 429 when it has as many filters, or streams of whole tenders. */
function requirePlace({ hub, config, ids }: StreamDeps, wanted: { readonly filter: Filter } | 'expanded'): void {
  if (hub.readers >= config.STREAMS_MAX) throw new ProblemError(unavailable(5 + Math.floor(nextRandom({ ids }) * 26)));
  const isFull =
    wanted === 'expanded'
      ? hub.expanded >= config.STREAM_EXPANDED_MAX
      : hub.groups >= GROUPS_MAX && !hub.hasGroup(filterKey(wanted.filter));
  if (isFull) throw new ProblemError(problem('request.too-many', {}, { 'retry-after': '5' }));
}

/** Returns a random number from 0 to below 1, so that readers do not come back together. */
function nextRandom({ ids }: Pick<StreamDeps, 'ids'>): number {
  return Number.parseInt(ids.next().slice(-6), 16) / 2 ** 24;
}

interface GivenPositions {
  readonly offset: string | undefined;
  readonly lastEventId: string | undefined;
}

/** Position after which the reader starts; undefined means now. The last id wins. Throws 404 for a position that is none of ours. */
function readStart(
  deps: StreamDeps,
  request: FastifyRequest,
  { offset, lastEventId }: GivenPositions,
): bigint | undefined {
  const header = request.headers['last-event-id'];
  if (typeof header === 'string' && header !== '') return readPosition(deps, header, 'stream.last-event-id');
  if (lastEventId !== undefined) return readPosition(deps, lastEventId, 'params.expired', 'lastEventId');
  return offset === undefined ? undefined : readPosition(deps, offset, 'params.expired', 'offset');
}

function readPosition({ clock }: StreamDeps, text: string, code: ProblemCode, name = ''): bigint {
  const stamp = position(text);
  if (stamp === undefined || stamp > BigInt(clock.now() + AHEAD_MAX)) throw new ProblemError(problem(code, { name }));
  return stamp;
}
