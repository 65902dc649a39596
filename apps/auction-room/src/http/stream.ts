import { randomInt } from 'node:crypto';
import type { Handler } from '@procurement/kit/http/mount';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { outletOfEvents } from '../watch/outlets.ts';
import type { WatcherQuota } from '../watch/watcher-quota.ts';
import { refuse } from './refuse.ts';
import { loadAuction, readAgain, nameOfReader, sessionOf } from './request.ts';

/** Streams of one bidder, in all its sessions. */
const BIDDER_STREAMS_MAX = 10;
/** Each browser waits a different time before it connects again. */
const RETRY_MS = [1_000, 3_000] as const;

/** `GET /tenders/{id}/stream`: the state now, and at every change (auction-room.md 8.1). Bidders are admitted when watchers are not. */
export function openStream(deps: Deps, quota: WatcherQuota): Handler {
  const { hub } = deps;
  return async (request, reply) => {
    const seen = await loadAuction(deps, request);
    if (seen === undefined) return refuse(reply, 'auction.not-found');
    const auctionId = seen.auction.plan.id;
    const bidder = sessionOf(deps, request, seen);
    const isFull =
      bidder === undefined ? !quota.isFree(request.ip) : hub.devices(auctionId, bidder.bid) >= BIDDER_STREAMS_MAX;
    if (isFull || deps.isEnding()) return refuse(reply, 'room.full');
    // Whoever watches an auction here keeps its state new for all others.
    const fresh = hub.seen(auctionId) ?? (await readAgain(deps, seen, nameOfReader(deps, request, auctionId)));
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, {
      ...reply.getHeaders(),
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    } as Record<string, string>);
    raw.write(`retry: ${randomInt(...RETRY_MS)}\n\n`);
    raw.on('error', () => raw.destroy());
    if (bidder === undefined) quota.take(request.ip, raw);
    hub.add(
      auctionId,
      { outlet: outletOfEvents(raw), ...(bidder === undefined ? {} : { bidder }) },
      fresh,
      parseLastEventId(request),
    );
    return reply;
  };
}

function parseLastEventId({ headers }: FastifyRequest): number | undefined {
  const given = headers['last-event-id'];
  return typeof given === 'string' && /^\d{1,9}$/.test(given) ? Number(given) : undefined;
}
