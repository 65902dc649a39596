import { isJsonObject } from '@procurement/contracts/reading/json-object';
import { addMicros, SECOND } from '@procurement/contracts/reading/instant';
import type { Handler } from '@procurement/kit/http/mount';
import type { Deps } from '../deps.ts';
import { nextBoundary } from '../domain/public-document.ts';
import { takeOverClock } from '../follow/follow-clocks.ts';
import { followStore } from '../store/follow.store.ts';
import { moveClock } from '../tender-service/requests.ts';
import { refuse } from './refuse.ts';
import { loadAuction, jsonBody } from './request.ts';

/** Beyond the boundary: a turn that ends waits for offers that arrived in time. */
const MARGIN = SECOND / 1_000;

/**
 * `POST /sandbox/auctions/{id}/clock`: moves the time of the tender, through the gateway, and with it this auction
 * (auction-room.md 14.2). Exists in a sandbox only.
 */
export function moveSandboxClock(deps: Deps): Handler {
  const { room, service, now } = deps;
  return async (request, reply) => {
    const seen = await loadAuction(deps, request);
    if (seen === undefined) return refuse(reply, 'auction.not-found');
    const data = jsonBody(request)?.['data'];
    if (!isJsonObject(data)) return refuse(reply, 'clock.move');
    const { id, tenderId } = seen.auction.plan;
    const fresh = (await room.auctions.read(id)) ?? seen;
    const boundary = nextBoundary(fresh.auction);
    const present = addMicros(now(), fresh.aheadMicros);
    const toBoundary = boundary === undefined ? 0 : Math.max((boundary - present + MARGIN) / SECOND, 0);
    const advance = data['to'] === 'next_stage' ? `PT${toBoundary.toFixed(6)}S` : data['advance'];
    if (typeof advance !== 'string') return refuse(reply, 'clock.move');
    const moved = await service.send(moveClock(tenderId, { advance }));
    if (moved.status !== 200) return reply.code(moved.status === 0 ? 503 : moved.status).send(moved.body);
    await takeOverClock({ service, room }, tenderId, await followStore(room.pool, '').auctionsOf(tenderId));
    const result = await room.run(id, { type: 'Tick' }, 'timer');
    return reply.send({ data: { phase: result?.auction.phase, stage: result?.auction.currentStage } });
  };
}
