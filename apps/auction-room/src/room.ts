import { addMicros, type Instant } from '@procurement/contracts/reading/instant';
import { makePool } from '@procurement/kit/database/pool';
import { monotonicMs } from '@procurement/kit/runtime/clock';
import type { Logger } from '@procurement/kit/runtime/log';
import { makeSignal } from '@procurement/kit/runtime/signal';
import { UnavailableError } from '@procurement/kit/database/unavailable-error';
import type pg from 'pg';
import type { Command, Entrant } from './domain/commands.ts';
import type { AuctionEvent } from './domain/events.ts';
import { offerAnswer, type OfferAnswer } from './domain/bidder-view.ts';
import type { Refusal } from './domain/refusals.ts';
import { makeAuctionQueue } from './lead/auction-queue.ts';
import { startLeadership, type Leadership } from './lead/lead-shards.ts';
import { startTimers } from './lead/run-timers.ts';
import { turnEndedAt } from './lead/turn-end.ts';
import { startWorkSigns } from './lead/work-signs.ts';
import { atMostAtOnce } from './session/rates.ts';
import {
  auctionsStore,
  type Actor,
  type AuctionCommand,
  type AuctionsStore,
  type CommandResult,
  type SeenAuction,
} from './store/auctions.store.ts';
import { leasesStore } from './store/leases.store.ts';
import { replicasStore } from './store/replicas.store.ts';
import { makeRoomClock, UNCERTAINTY_MICROS_MAX, type RoomClock } from './time/room-clock.ts';

export interface RoomOptions {
  readonly databaseUrl: string;
  /** UUID of this process. */
  readonly replicaId: string;
  /** Name of the host, for people. */
  readonly replicaName: string;
  /** How long the end of a turn waits for offers that arrived in time, in milliseconds. */
  readonly turnEndMs: number;
  readonly log: Logger;
  /** Called after each commit of this replica that changed an auction. */
  readonly onChanged?: (seen: SeenAuction, events: readonly AuctionEvent[]) => void;
}

/** An offer as it arrived. */
export interface ArrivedOffer extends Entrant {
  readonly auctionId: string;
  readonly offerId: string;
  /** `null` withdraws; `undefined`: the body has none. */
  readonly amount: number | null | undefined;
  /** Room time at which its body was read whole. */
  readonly arrivedAt: Instant;
}

type RunOptions = Pick<AuctionCommand, 'lease' | 'aheadMicros'>;

/** One replica of the room: holds auctions on time, together with the others on the same database. */
export interface Room {
  readonly clock: RoomClock;
  readonly auctions: AuctionsStore;
  readonly leadership: Leadership;
  /** Connections for work. */
  readonly pool: pg.Pool;
  /** Looks for due stages at once: the time of an auction was moved. */
  wakeTimers(): void;
  /** Whether this replica works and its clock is right. */
  isReady(): boolean;
  /** Auctions whose stages cannot be begun. */
  setAside(): readonly string[];
  /** Runs a command of the room itself. Undefined when there is no such auction. */
  run(auctionId: string, command: Command, actor: Actor, how?: RunOptions): Promise<CommandResult | undefined>;
  /**
   * Judges an offer by the time of its arrival. One that cannot count waits for nothing else. Throws UnavailableError while this replica
   * is not ready, RateExceededError for a bid with too many offers under way.
   */
  placeOffer(offer: ArrivedOffer): Promise<OfferAnswer | { readonly refused: Refusal } | undefined>;
  stop(): Promise<void>;
}

/** Connections for offers and stages. A process that is stopped within a transaction holds an auction for 2 s at most. */
const WORK_CONNECTIONS = 10;
/** Connections for signs of work, leases and the clock, which must not wait behind a flood of offers. */
const SIGN_CONNECTIONS = 2;
/** Offers of one bid that wait for the end of a turn or in the queue of the auction. */
const OFFERS_UNDER_WAY_MAX = 10;
const IDLE_IN_TRANSACTION_MS_MAX = 2_000;
const STATEMENT_MS_MAX = 5_000;

/** Starts the room (auction-room.md 6.5). Throws when the database is away, and leaves nothing running: the caller tries again. */
export async function startRoom(options: RoomOptions): Promise<Room> {
  const { databaseUrl: url, log } = options;
  const limits = { idleInTransactionMsMax: IDLE_IN_TRANSACTION_MS_MAX, statementMsMax: STATEMENT_MS_MAX };
  const pool = makePool({ url, name: 'auction-room', connectionsMax: WORK_CONNECTIONS, log, ...limits });
  const signPool = makePool({ url, name: 'auction-room signs', connectionsMax: SIGN_CONNECTIONS, log, ...limits });
  try {
    return await comeUp(options, pool, signPool);
  } catch (error) {
    await Promise.all([pool.end(), signPool.end()]);
    throw error;
  }
}

/** Starts the clock, running auctions, the look for an outage, leases and timers. What goes on by itself starts after all that throws. */
async function comeUp(options: RoomOptions, pool: pg.Pool, signPool: pg.Pool): Promise<Room> {
  const { replicaId, replicaName, turnEndMs, log, onChanged } = options;
  const turnEndMicros = turnEndMs * 1_000;
  const clock = makeRoomClock({ pool: signPool, monotonicMicros: () => monotonicMs() * 1_000, log });
  await clock.synchronize();
  const auctions = auctionsStore({ pool, replicaId, turnEndMicros, ...(onChanged === undefined ? {} : { onChanged }) });
  for (const auction of await auctions.verifyRunning())
    log.error({ auctionId: auction }, 'state is not the fold of the log');
  const replicas = replicasStore(signPool, { id: replicaId, name: replicaName });
  const signs = await startWorkSigns({ replicas, log });
  const clockSync = clock.start();
  const isReady = (): boolean => signs.working() && clock.uncertainty() <= UNCERTAINTY_MICROS_MAX;
  const queue = makeAuctionQueue();
  const underWay = atMostAtOnce(OFFERS_UNDER_WAY_MAX);
  const signal = makeSignal();
  const leases = leasesStore(signPool, replicaId);
  const leadership = startLeadership({ leases, replicas, isReady, onTaken: () => signal.notify(), log });
  await leadership.round();
  const timers = startTimers({ auctions, queue, leadership, clock, signal, isReady, log });

  async function awaitTurnEnd(auctionId: string, arrivedAt: Instant): Promise<void> {
    const seen = await auctions.lastSeen(auctionId);
    if (seen === undefined) return;
    const until = turnEndedAt(seen.auction, addMicros(arrivedAt, seen.aheadMicros), turnEndMicros);
    const waitMs = until === undefined ? 0 : (until - seen.aheadMicros - clock.now()) / 1_000;
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
  }

  return {
    clock,
    auctions,
    leadership,
    pool,
    wakeTimers: () => signal.notify(),
    isReady,
    setAside: () => timers.setAside(),
    async run(auctionId, command, actor, how = {}) {
      const now = clock.now();
      const result = await queue.run(auctionId, 'rest', async () =>
        auctions.run({ auctionId, command, now, actor, ...how }),
      );
      signal.notify();
      return result;
    },
    async placeOffer(offer) {
      const { auctionId, bid, offerId, arrivedAt } = offer;
      if (!isReady()) throw new UnavailableError('the room');
      return underWay(`${auctionId} ${bid}`, async () => {
        const command = { auctionId, command: offerCommand(offer), now: arrivedAt, actor: 'bidder' } as const;
        const refused = await auctions.refusalOf(command);
        if (refused !== undefined) return { refused };
        await awaitTurnEnd(auctionId, arrivedAt);
        const result = await queue.run(auctionId, 'first', async () => auctions.run(command));
        if (result === undefined || result.refused !== undefined) return asRefused(result);
        const isNew = result.events.some((event) => 'offerId' in event && event.offerId === offerId);
        return offerAnswer(result.auction, bid, offerId, !isNew);
      });
    },
    async stop() {
      await timers.stop();
      await leadership.stop();
      await signs.stop();
      clockSync.stop();
      await pool.end();
      await signPool.end();
    },
  };
}

function asRefused(result: CommandResult | undefined): { readonly refused: Refusal } | undefined {
  return result?.refused === undefined ? undefined : { refused: result.refused };
}

function offerCommand({ auctionId: _auction, arrivedAt: _at, amount, ...offer }: ArrivedOffer): Command {
  return amount === null ? { type: 'WithdrawOffer', ...offer } : { type: 'PlaceOffer', amount, ...offer };
}
