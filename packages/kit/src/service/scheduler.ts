import { wakeSubject } from '@procurement/contracts/events/subjects';
import { addMicros, type Instant } from '@procurement/contracts/reading/instant';
import { publishIfOpen, type Bus } from '../messaging/bus.ts';
import type { Logger } from '../runtime/log.ts';
import { startLoop, type AfterRound } from '../runtime/loop.ts';
import type { Metrics } from '../runtime/metrics.ts';
import type { Clock } from '../runtime/clock.ts';

/** Result of one round. */
export interface RoundResult {
  /** Rows that were due and processed. */
  readonly processed: number;
  /** Microseconds by which the most overdue of them was late. */
  readonly latenessMaxMicros: number;
}

/** Runs the due rows of a database at their time. */
export interface Scheduler {
  /**
   * Announces a deadline, which may be earlier than the next one known and may not be committed yet. A deadline in the next seconds
   * is announced to the other replicas too.
   */
  wake(at: Instant): void;
  /** Looks at the database soon: a transaction may have stored deadlines that were not announced. */
  checkSoon(): void;
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
  /** Where the replicas of the service announce deadlines to each other; absent: they do not. */
  readonly replicas?: { readonly bus: Bus; readonly service: string };
}

/** Rows per transaction: bounds how long their locks are held. */
const BATCH_ROWS_MAX = 64;
/**
 * Longest time between two looks at the database. A look finds the deadlines that another replica stores; that replica runs those
 * that come before the look. So a deadline is late only if it is one of the next seconds, its replica ends meanwhile, and its
 * announcement is lost.
 */
const SLEEP_MS_MAX = 5_000;
const FAILED_MS = 1_000;
/** Pause while another replica holds the rows that are due. */
const HELD_MS = 10;
/** `look` is called for every transaction with events. */
const CHECK_AFTER_MS = 100;
/** How far ahead deadlines are announced: until the next look, with a second by which clocks of hosts may differ. */
const ANNOUNCED_MICROS = (SLEEP_MS_MAX + 1_000) * 1_000;
const NEVER = Number.POSITIVE_INFINITY;

/**
 * Replicas share the work: each takes due rows that no other has locked (SKIP LOCKED), and commits their effects in the same
 * transaction, so a crash loses and repeats nothing (architecture.md, "Time"). An idle one reads one row every five seconds
 * (docs/decisions/0010-an-idle-system-waits.md).
 */
export function startScheduler(deps: SchedulerDeps): Scheduler {
  const { runDue, nextDue, clock, log, metrics, replicas } = deps;
  let sleepsUntil = NEVER;
  /** The earliest deadline that was announced and is not reached: its row may not be visible yet, or to the read that is under way. */
  let announced = NEVER;
  let hasMore = false;
  let latenessSeconds = 0;
  let checkTimer: NodeJS.Timeout | undefined;
  const processedTotal = metrics.counter('clock_acts_total', 'Due rows that the scheduler has processed');
  metrics.gauge('clock_lateness_seconds', 'Lateness of the most overdue row of the last round', () => latenessSeconds);

  /** Milliseconds until the next deadline, at most `SLEEP_MS_MAX`; 0 when it has come. */
  async function untilDueMs(): Promise<number> {
    if (announced <= clock.now()) announced = NEVER;
    const next = (await nextDue()) ?? NEVER;
    const now = clock.now();
    if (next <= now) return 0;
    sleepsUntil = Math.min(next, announced);
    return Math.min(Math.max(Math.ceil((sleepsUntil - now) / 1_000), 1), SLEEP_MS_MAX);
  }

  async function round(): Promise<AfterRound> {
    const hadMore = hasMore;
    hasMore = false;
    const pauseMs = hadMore ? 0 : await untilDueMs();
    const isDue = pauseMs === 0;
    const result = isDue ? await runDue(BATCH_ROWS_MAX) : undefined;
    hasMore = result !== undefined && result.processed > 0;
    latenessSeconds = hasMore ? (result?.latenessMaxMicros ?? 0) / 1_000_000 : 0;
    if (hasMore) processedTotal.increment(result?.processed);
    if (hasMore || hadMore) return 'more';
    return { pauseMs: isDue ? HELD_MS : pauseMs };
  }
  // A round fails when the database is unavailable or a lock is not granted: the rows stay due.
  const loop = startLoop(round, { pauseMs: FAILED_MS, log, failure: 'scheduler round failed' });

  function noteDeadline(at: Instant): void {
    announced = Math.min(announced, at);
    if (at < sleepsUntil) loop.wake();
  }

  const stopHearing = replicas === undefined ? undefined : hearDeadlines(replicas, noteDeadline);

  return {
    wake(at) {
      noteDeadline(at);
      if (replicas !== undefined && at < addMicros(clock.now(), ANNOUNCED_MICROS)) announce(replicas, at);
    },
    checkSoon() {
      checkTimer ??= setTimeout(() => {
        checkTimer = undefined;
        loop.wake();
      }, CHECK_AFTER_MS);
    },
    async stop() {
      clearTimeout(checkTimer);
      stopHearing?.();
      await loop.stop();
    },
  };
}

type Replicas = NonNullable<SchedulerDeps['replicas']>;

/** May be lost. It wakes the relay of another replica too, for nothing, and rarely. */
function announce({ bus, service }: Replicas, at: Instant): void {
  if (bus.connected()) publishIfOpen(() => bus.connection.publish(wakeSubject(service), String(at)));
}

function hearDeadlines({ bus, service }: Replicas, noteDeadline: (at: Instant) => void): () => void {
  let unsubscribe = (): void => undefined;
  bus.onOpen((connection) => {
    const subscription = connection.subscribe(wakeSubject(service), {
      callback: (error, message) => {
        const at = error === null ? Number(message.string()) : 0;
        // Safe cast: a replica has published an instant.
        if (Number.isSafeInteger(at) && at > 0) noteDeadline(at as Instant);
      },
    });
    unsubscribe = () => subscription.unsubscribe();
  });
  return () => unsubscribe();
}
