import type { Instant } from '@procurement/contracts/reading/instant';
import type { Logger } from './log.ts';
import { startLoop, type AfterRound } from './loop.ts';
import type { Metrics } from './metrics.ts';
import type { Clock } from './clock.ts';

/** Result of one round. */
export interface RoundResult {
  /** Rows that were due and processed. */
  readonly processed: number;
  /** Microseconds by which the most overdue of them was late. */
  readonly latenessMaxMicros: number;
}

/** Runs the due rows of a database at their time. */
export interface Scheduler {
  /** Announces a new deadline, which may be earlier than the next one known. */
  wake(at: Instant): void;
  /** Resolves when the current round has finished. */
  stop(): Promise<void>;
}

export interface SchedulerDeps {
  /** Processes at most `max` due rows in one transaction, skipping rows that another replica has locked. */
  runDue(max: number): Promise<RoundResult>;
  /** Real time of the next deadline. */
  nextDue(): Promise<Instant | undefined>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** Rows per transaction: bounds how long their locks are held. */
const BATCH_ROWS_MAX = 64;
/** `wake` covers this replica's deadlines; polling covers those of a replica that ended before it ran them. */
const SLEEP_MS_MAX = 1_000;
/** Pause while another replica holds the rows that are due. */
const SLEEP_MS_MIN = 10;

/**
 * Replicas share the work: each takes due rows that no other has locked (SKIP LOCKED), and commits their effects in the same
 * transaction, so a crash loses and repeats nothing (architecture.md, "Time").
 */
export function startScheduler({ runDue, nextDue, clock, log, metrics }: SchedulerDeps): Scheduler {
  let sleepsUntil = Number.POSITIVE_INFINITY;
  let latenessSeconds = 0;
  const processedTotal = metrics.counter('clock_acts_total', 'Due rows that the scheduler has processed');
  metrics.gauge('clock_lateness_seconds', 'Lateness of the most overdue row of the last round', () => latenessSeconds);

  async function sleepMs(): Promise<number> {
    const next = await nextDue();
    sleepsUntil = next ?? Number.POSITIVE_INFINITY;
    const untilMs = next === undefined ? SLEEP_MS_MAX : Math.ceil((next - clock.now()) / 1_000);
    return Math.min(Math.max(untilMs, SLEEP_MS_MIN), SLEEP_MS_MAX);
  }

  async function round(): Promise<AfterRound> {
    // Until the next deadline is read, every announced one may be earlier.
    sleepsUntil = Number.POSITIVE_INFINITY;
    const result = await runDue(BATCH_ROWS_MAX);
    latenessSeconds = result.processed > 0 ? result.latenessMaxMicros / 1_000_000 : 0;
    if (result.processed === 0) return { pauseMs: await sleepMs() };
    processedTotal.increment(result.processed);
    return 'more';
  }
  // A round fails when the database is unavailable or a lock is not granted: the rows stay due.
  const loop = startLoop(round, { pauseMs: SLEEP_MS_MAX, log, failure: 'scheduler round failed' });

  return {
    wake(at) {
      if (at < sleepsUntil) loop.wake();
    },
    stop: loop.stop,
  };
}
