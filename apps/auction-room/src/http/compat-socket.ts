import websocket from '@fastify/websocket';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import type { SeenAuction } from '../store/auctions.store.ts';
import { outletOfSocket } from '../watch/outlets.ts';
import type { WatcherQuota } from '../watch/watcher-quota.ts';
import { refuse } from './refuse.ts';
import { loadAuction, readAgain } from './request.ts';
import { webSocketUpgrades } from './upgrades.ts';

/** What a reader sends is ignored; a longer message ends its socket. */
const MESSAGE_BYTES_MAX = 1_024;
/** Front ends answer each PING. */
const MESSAGES_MAX = 100;
const MESSAGES_MS = 5_000;
/** Close code of the WebSocket protocol: the reader broke a rule of this server. */
const POLICY_VIOLATION = 1_008;

/** `GET /api/auctions/{id}/ws`: the document now and at every change (auction-room.md 8.3). Refusals are HTTP, before the upgrade. */
export async function mountCompatSocket(app: FastifyInstance, deps: Deps, quota: WatcherQuota): Promise<void> {
  const { hub, log } = deps;
  const admitted = new WeakMap<FastifyRequest, SeenAuction>();
  await app.register(websocket, {
    options: { server: webSocketUpgrades(app.server), maxPayload: MESSAGE_BYTES_MAX },
    // A message that is too long, or a frame that cannot be read.
    errorHandler: (error, socket) => {
      log.debug({ err: error }, 'socket of a watcher ended');
      socket.terminate();
    },
  });

  async function admit(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const seen = await loadAuction(deps, request);
    if (!request.ws || seen === undefined) return refuse(reply, 'auction.not-found');
    const fresh = hub.seen(seen.auction.plan.id) ?? (await readAgain(deps, seen, request.ip));
    if (!quota.isFree(request.ip) || deps.isEnding()) return refuse(reply, 'room.full');
    quota.take(request.ip, request.raw.socket);
    admitted.set(request, fresh);
    return undefined;
  }

  app.get('/api/auctions/:id/ws', { websocket: true, preHandler: admit }, (socket, request) => {
    const seen = admitted.get(request);
    if (seen === undefined) return socket.terminate();
    limitMessages(socket);
    return hub.add(seen.auction.plan.id, { outlet: outletOfSocket(socket) }, seen, undefined);
  });
}

function limitMessages(socket: websocket.WebSocket): void {
  let messages = 0;
  const timer = setInterval(() => (messages = 0), MESSAGES_MS);
  socket.once('close', () => clearInterval(timer));
  socket.on('message', () => {
    messages += 1;
    if (messages > MESSAGES_MAX) socket.close(POLICY_VIOLATION);
  });
}
