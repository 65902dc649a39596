import { monotonicMs } from '@procurement/kit/runtime/clock';
import type { Logger } from '@procurement/kit/runtime/log';
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
/** At once; the pool has more connections than that, so offers are not held up. */
const CONCURRENT_MAX = 4;
/** Covers boundaries that another replica brought. */
const SLEEP_MS_MAX = 1_000;
const SLEEP_MS_MIN = 1;
const RETRY_MS_MIN = 1_000;
const RETRY_MS_MAX = 30_000;

interface Failure {
  readonly retryMs: number;
  readonly retryAtMs: number;
}

export function startTimers({ auctions, queue, leadership, clock, signal, isReady, log }: TimersDeps): Timers {
  const failed = new Map<string, Failure>();
  let stopped = false;

  async function tick({ auctionId, shard }: DueAuction): Promise<void> {
    const lease = leadership.lease(shard);
    if (lease === undefined) return;
    try {
      // In the queue of the auction: offers that arrived before the boundary are recorded first.
      await queue.run(auctionId, async () =>
        auctions.run({ auctionId, command: { type: 'Tick' }, now: clock.now(), actor: 'timer', lease }),
      );
      failed.delete(auctionId);
    } catch (error) {
      if (error instanceof FencedError) return leadership.lost(shard);
      putAside(auctionId, error);
    }
  }

  function putAside(auctionId: string, error: unknown): void {
    const before = failed.get(auctionId)?.retryMs ?? RETRY_MS_MIN / 2;
    const retryMs = Math.min(before * 2, RETRY_MS_MAX);
    failed.set(auctionId, { retryMs, retryAtMs: monotonicMs() + retryMs });
    log.error({ err: error, auction: auctionId, retryMs }, 'stage not begun');
  }

  /** Failed auctions whose time to try again has not come. */
  function waiting(): readonly string[] {
    return [...failed].filter(([, { retryAtMs }]) => retryAtMs > monotonicMs()).map(([auctionId]) => auctionId);
  }

  async function round(): Promise<void> {
    const shards = isReady() ? leadership.shards() : [];
    if (shards.length === 0) return signal.wait(SLEEP_MS_MAX);
    const range = { shards, except: waiting() };
    const due = await auctions.due(range, clock.now(), BATCH_MAX);
    if (due.length > 0) return inParallel(due, tick);
    const next = await auctions.nextDue(range);
    const untilMs = next === undefined ? SLEEP_MS_MAX : Math.ceil((next - clock.now()) / 1_000);
    return signal.wait(Math.min(Math.max(untilMs, SLEEP_MS_MIN), SLEEP_MS_MAX));
  }

  async function run(): Promise<void> {
    while (!stopped) {
      try {
        await round();
      } catch (error) {
        log.warn({ err: error }, 'due auctions not read');
        await signal.wait(SLEEP_MS_MAX);
      }
    }
  }
  const running = run();

  return {
    setAside: () => [...failed.keys()],
    async stop() {
      stopped = true;
      signal.notify();
      await running;
    },
  };
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = [...items];
  const worker = async (): Promise<void> => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: CONCURRENT_MAX }, worker));
}
