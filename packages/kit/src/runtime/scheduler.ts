import type { Instant } from '@procurement/contracts/reading/instant';
import { makeSignal } from './signal.ts';
import type { Logger } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { Clock } from './clock.ts';

/** What one round came to. */
export interface RoundResult {
  /** Rows for which something was due. */
  readonly processed: number;
  /** By how many microseconds the latest of them was late. */
  readonly latenessMaxMicros: number;
}

/** Runs what is due in a database, at the moment it is due. */
export interface Scheduler {
  /** A deadline that may be earlier than the one slept until. */
  wake(at: Instant): void;
  /** Lets the round that runs finish. */
  stop(): Promise<void>;
}

export interface SchedulerDeps {
  /** Acts for at most so many rows that are due, in one transaction that passes over what others are at. */
  runDue(max: number): Promise<RoundResult>;
  /** When something is due next, in real time. */
  nextDue(): Promise<Instant | undefined>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** Rows in one transaction: what is locked with them must not be held for long. */
const BATCH_ROWS_MAX = 64;
/** Own deadlines ring; this is for those that another replica stored and did not live to keep. */
const SLEEP_MS_MAX = 1_000;
/** Something is due, and another replica is at it. */
const SLEEP_MS_MIN = 10;

/**
 * Any number of replicas share the work: each takes due rows that no other is at (SKIP LOCKED), in one transaction with what
 * comes of them, so an end at any moment loses and repeats nothing (architecture.md, "Time").
 */
export function startScheduler({ runDue, nextDue, clock, log, metrics }: SchedulerDeps): Scheduler {
  const signal = makeSignal();
  let stopped = false;
  let sleepsUntil = Number.POSITIVE_INFINITY;
  let latenessMs = 0;
  const processedTotal = metrics.counter('clock_acts_total', 'Rows for which the clock acted');
  metrics.gauge('clock_lateness_ms', 'By how much the latest act of the last round was late', () => latenessMs);

  async function sleepMs(): Promise<number> {
    const next = await nextDue();
    sleepsUntil = next ?? Number.POSITIVE_INFINITY;
    const untilMs = next === undefined ? SLEEP_MS_MAX : Math.ceil((next - clock.now()) / 1_000);
    return Math.min(Math.max(untilMs, SLEEP_MS_MIN), SLEEP_MS_MAX);
  }

  async function runRound(): Promise<void> {
    try {
      const result = await runDue(BATCH_ROWS_MAX);
      if (result.processed > 0) {
        processedTotal.increment(result.processed);
        latenessMs = result.latenessMaxMicros / 1_000;
        return;
      }
      latenessMs = 0;
      await signal.wait(await sleepMs());
    } catch (error) {
      // The database is away, or others held what we wanted: what was due stays due.
      log.warn({ err: error }, 'clock could not act');
      await signal.wait(SLEEP_MS_MAX);
    }
  }

  async function run(): Promise<void> {
    while (!stopped) await runRound();
  }
  const running = run();

  return {
    wake(at) {
      if (at < sleepsUntil) signal.notify();
    },
    async stop() {
      stopped = true;
      signal.notify();
      await running;
    },
  };
}
