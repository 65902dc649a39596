import type { Instant } from '@procurement/contracts/instant';
import { makeBell } from './bell.ts';
import type { Logger } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { Clock } from './time.ts';

/** What one round came to. */
export interface Round {
  /** Rows for which something was due. */
  readonly acted: number;
  /** By how many microseconds the latest of them was late. */
  readonly latestMicros: number;
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
  runDue(max: number): Promise<Round>;
  /** When something is due next, in real time. */
  nextDue(): Promise<Instant | undefined>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** Rows in one transaction: what is locked with them must not be held for long. */
const BATCH = 64;
/** Own deadlines ring; this is for those that another replica stored and did not live to keep. */
const SLEEP_MS_MAX = 1_000;
/** Something is due, and another replica is at it. */
const SLEEP_MS_MIN = 10;

/**
 * Any number of replicas share the work: each takes due rows that no other is at (SKIP LOCKED), in one transaction with what
 * comes of them, so an end at any moment loses and repeats nothing (architecture.md, "Time").
 */
export function startScheduler({ runDue, nextDue, clock, log, metrics }: SchedulerDeps): Scheduler {
  const bell = makeBell();
  let stopped = false;
  let asleepUntil = Number.POSITIVE_INFINITY;
  let latenessMs = 0;
  const acted = metrics.counter('clock_acts_total', 'Rows for which the clock acted');
  metrics.gauge('clock_lateness_ms', 'By how much the latest act of the last round was late', () => latenessMs);

  async function sleepMs(): Promise<number> {
    const next = await nextDue();
    asleepUntil = next ?? Number.POSITIVE_INFINITY;
    const untilMs = next === undefined ? SLEEP_MS_MAX : Math.ceil((next - clock.now()) / 1_000);
    return Math.min(Math.max(untilMs, SLEEP_MS_MIN), SLEEP_MS_MAX);
  }

  async function round(): Promise<void> {
    try {
      const result = await runDue(BATCH);
      if (result.acted > 0) {
        acted.increase(result.acted);
        latenessMs = result.latestMicros / 1_000;
        return;
      }
      latenessMs = 0;
      await bell.wait(await sleepMs());
    } catch (error) {
      // The database is away, or others held what we wanted: what was due stays due.
      log.warn({ err: error }, 'clock could not act');
      await bell.wait(SLEEP_MS_MAX);
    }
  }

  async function run(): Promise<void> {
    while (!stopped) await round();
  }
  const running = run();

  return {
    wake(at) {
      if (at < asleepUntil) bell.ring();
    },
    async stop() {
      stopped = true;
      bell.ring();
      await running;
    },
  };
}
