import { randomBytes, randomInt } from 'node:crypto';
import { hostname } from 'node:os';
import { waitForDatabase } from '@procurement/kit/database/wait-for-database';
import { secureIds } from '@procurement/kit/runtime/ids';
import type { Logger } from '@procurement/kit/runtime/log';
import { makeMetrics } from '@procurement/kit/runtime/metrics';
import { closeServer, closeTimesOf } from '@procurement/kit/runtime/process';
import type { FastifyInstance } from 'fastify';
import { buildApp } from './app.ts';
import type { Config } from './config.ts';
import type { Deps } from './deps.ts';
import type { EventType } from './domain/events.ts';
import { startHandOff } from './hand-off.ts';
import { loadPage } from './http/page.ts';
import { buildOperations } from './operations.ts';
import { startRoom, type Room, type RoomOptions } from './room.ts';
import { rateLimit } from './session/rates.ts';
import type { TenderService } from './tender-service/client.ts';
import { makeHub } from './watch/hub.ts';
import { followNews } from './watch/news.ts';

/** One process of the room, without its listeners. */
export interface Replica {
  readonly room: Room;
  /** Pages, streams and offers. */
  readonly app: FastifyInstance;
  /** Probes, metrics and the page of operators. */
  readonly operations: FastifyInstance;
  /** Ends the streams of watchers, answers running requests, and gives its shards away. */
  stop(): Promise<void>;
}

export interface ReplicaOptions {
  readonly settings: Config;
  readonly service: TenderService;
  readonly log: Logger;
}

const OF_BIDDERS: ReadonlySet<EventType> = new Set(['OfferPlaced', 'OfferWithdrawn', 'BidderEntered']);
const FOLLOW_SECONDS = 5;
const SANDBOX_FOLLOW_SECONDS = 1;
const STREAMS_CLOSE_MS = 2_000;
const RANDOM_STEPS = 1_000_000;

/** Holds auctions from now on. Waits for the database, which has its tables. */
export async function startReplica({ settings, service, log }: ReplicaOptions): Promise<Replica> {
  const replicaId = secureIds.nextUuid();
  let ending = false;
  // Stages may begin before the rest is made.
  let onChanged: NonNullable<RoomOptions['onChanged']> = () => undefined;
  const room = await waitForDatabase(log, async () =>
    startRoom({
      databaseUrl: settings.DATABASE_URL,
      replicaId,
      replicaName: hostname(),
      turnEndMs: settings.TURN_END_MS,
      log,
      onChanged: (seen, events) => onChanged(seen, events),
    }),
  );
  const { now } = room.clock;
  const hub = makeHub({ now: () => now(), log });
  const handOff = startHandOff({
    room,
    replicaId,
    service,
    settings: {
      publicUrl: settings.PUBLIC_URL,
      procurementTypes: settings.PROCUREMENT_TYPES,
      playsSpecialModes: settings.SPECIAL_MODES === 'room',
      takeOver: settings.TAKE_OVER,
      sandbox: settings.SANDBOX_MODE,
      acceleratesStages: settings.SANDBOX_ACCELERATES_STAGES,
    },
    keys: settings.ROOM_SECRETS,
    followPauseMs: followSeconds(settings) * 1_000,
    random: () => randomInt(RANDOM_STEPS) / RANDOM_STEPS,
    log,
  });
  const metrics = makeMetrics('auction-room');
  const conflicts = metrics.counter('room_conflicts_total', 'Auctions whose tender has other results than this room');
  onChanged = (seen, events) => {
    hub.publish(seen);
    // What bidders do brings no task, and comes by hundreds.
    if (!events.every(({ type }) => OF_BIDDERS.has(type))) handOff.wake();
    if (!events.some(({ type }) => type === 'ConflictNoted')) return;
    conflicts.increment();
    log.error({ auctionId: seen.auction.plan.id }, 'the tender has other results than this auction');
  };
  const news = followNews({ hub, pool: room.pool, auctions: room.auctions, log });
  const deps: Deps = {
    settings,
    room,
    hub,
    handOff,
    service,
    // Beside `src`, `dist`, and the `dist` of a bundle.
    page: await loadPage(new URL('../page/', import.meta.url), settings.PORTAL_PUBLIC_URL),
    limits: {
      offers: rateLimit({ perSecond: 5, burst: 10 }),
      // Each is an event of the log.
      entries: rateLimit({ perSecond: 10 / 60, burst: 10 }),
      logins: rateLimit({ perSecond: 10 / 60, burst: 10 }),
      loginsOfAuction: rateLimit({ perSecond: 1, burst: 60 }),
      reads: rateLimit({ perSecond: 60, burst: 120 }),
    },
    log,
    metrics,
    now: () => now(),
    newId: () => randomBytes(16).toString('hex'),
    isEnding: () => ending,
  };
  const app = buildApp(deps);
  const operations = buildOperations(deps);
  return {
    room,
    app,
    operations,
    async stop() {
      ending = true;
      await handOff.stop();
      await news.stop();
      await hub.close(STREAMS_CLOSE_MS);
      await closeServer(app, closeTimesOf(settings));
      await room.stop();
      await operations.close();
    },
  };
}

function followSeconds({ FOLLOW_SECONDS: given, SANDBOX_MODE: isSandbox }: Config): number {
  return given ?? (isSandbox ? SANDBOX_FOLLOW_SECONDS : FOLLOW_SECONDS);
}
