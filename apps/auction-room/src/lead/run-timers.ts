import { monotonicMs } from '@procurement/kit/runtime/clock';
import type { Logger } from '@procurement/kit/runtime/log';
import { startLoop, type AfterRound } from '@procurement/kit/runtime/loop';
import type { Signal } from '@procurement/kit/runtime/signal';
import type { AuctionsStore, DueAuction } from '../store/auctions.store.ts';
import { FencedError } from '../store/leases.store.ts';
import type { RoomClock } from '../time/room-clock.ts';
import type { AuctionQueue } from './auction-queue.ts';
import type { Leadership } from './lead-shards.ts';

/** Begins the stages of the auctions that this replica leads. */
export interface Timers {
  /** Auctions whose stages cannot be begun: an alarm. They are tried again; all others go on. */
  setAside(): readonly string[];
  stop(): Promise<void>;
}

export interface TimersDeps {
  readonly auctions: AuctionsStore;
  readonly queue: AuctionQueue;
  readonly leadership: Leadership;
  readonly clock: RoomClock;
  /** Notified when shards were taken, or an auction got an earlier boundary. */
  readonly signal: Signal;
  readonly isReady: () => boolean;
  readonly log: Logger;
}

const BATCH_MAX = 32;
/** Ticks at once. The pool has more connections than that, so offers are not held up. */
const CONCURRENT_MAX = 8;
/** Covers boundaries that another replica brought. */
const SLEEP_MS_MAX = 1_000;
const SLEEP_MS_MIN = 1;
/** A tick that takes longer, such as one whose row is locked, keeps no other auction waiting for its place. */
const PLACE_MS_MAX = 250;
const RETRY_MS_MIN = 1_000;
const RETRY_MS_MAX = 30_000;

interface Failure {
  readonly retryMs: number;
  readonly retryAtMs: number;
}

export function startTimers({ auctions, queue, leadership, clock, signal, isReady, log }: TimersDeps): Timers {
  const failed = new Map<string, Failure>();
  const ticking = new Map<string, Promise<void>>();
  /** Places of the ticks that began lately: one that takes long gives its place to another auction. */
  const places = new Set<Promise<void>>();

  async function tick({ auctionId, shard }: DueAuction): Promise<void> {
    const lease = leadership.lease(shard);
    if (lease === undefined) return;
    try {
      // In the queue of the auction: offers that arrived before the boundary are recorded first.
      await queue.run(auctionId, 'first', async () =>
        auctions.run({ auctionId, command: { type: 'Tick' }, now: clock.now(), actor: 'timer', lease }),
      );
      failed.delete(auctionId);
    } catch (error) {
      if (error instanceof FencedError) return leadership.lost(shard);
      postpone(auctionId, error);
    }
  }

  function postpone(auctionId: string, error: unknown): void {
    const before = failed.get(auctionId)?.retryMs ?? RETRY_MS_MIN / 2;
    const retryMs = Math.min(before * 2, RETRY_MS_MAX);
    failed.set(auctionId, { retryMs, retryAtMs: monotonicMs() + retryMs });
    log.error({ err: error, auctionId, retryMs }, 'stage not begun');
  }

  /** Begins a tick once there is a place. Its end is not waited for: what it makes due wakes the next round. */
  async function begin(due: DueAuction): Promise<void> {
    while (places.size >= CONCURRENT_MAX) await Promise.race(places);
    const ended = tick(due).finally(() => {
      ticking.delete(due.auctionId);
      signal.notify();
    });
    ticking.set(due.auctionId, ended);
    const place = Promise.race([ended, straggles()]).finally(() => places.delete(place));
    places.add(place);
  }

  /** Failed auctions whose time to try again has not come. */
  function waiting(): readonly string[] {
    return [...failed].filter(([, { retryAtMs }]) => retryAtMs > monotonicMs()).map(([auctionId]) => auctionId);
  }

  async function round(): Promise<AfterRound> {
    const shards = isReady() ? leadership.shards() : [];
    if (shards.length === 0) return;
    const range = () => ({ shards, except: [...waiting(), ...ticking.keys()] });
    const due = await auctions.due(range(), clock.now(), BATCH_MAX);
    for (const one of due) await begin(one);
    if (due.length === BATCH_MAX) return 'more';
    const next = await auctions.nextDue(range());
    const untilMs = next === undefined ? SLEEP_MS_MAX : Math.ceil((next - clock.now()) / 1_000);
    return { pauseMs: Math.min(Math.max(untilMs, SLEEP_MS_MIN), SLEEP_MS_MAX) };
  }
  const { stop } = startLoop(round, { pauseMs: SLEEP_MS_MAX, signal, log, failure: 'due auctions not read' });

  return {
    setAside: () => [...failed.keys()],
    async stop() {
      await stop();
      await Promise.all(ticking.values());
    },
  };
}

async function straggles(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, PLACE_MS_MAX).unref());
}
