import type pg from 'pg';
import { monotonicMs } from '../../runtime/clock.ts';
import { inParallel } from '../../runtime/in-parallel.ts';
import type { Logger } from '../../runtime/log.ts';
import { startLoop, type AfterRound } from '../../runtime/loop.ts';
import type { Metrics } from '../../runtime/metrics.ts';
import type { ReadDetails } from '../../runtime/ready-detail.ts';
import {
  ASK_AGAIN_SECONDS,
  endWaits,
  nextWait,
  overdueFlows,
  takeDueWaits,
  type DueWait,
  type OverdueFlow,
} from './flow-waits.ts';

/**
 * Handles a wait whose time has come, by the state as it is now: publishes the request again, or finds that the answer is
 * there. Late answers must be harmless, because the state may change meanwhile.
 */
export type AskAgain = (wait: DueWait) => Promise<'asked' | 'answered'>;

export interface AskAgainOptions {
  readonly pool: pg.Pool;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** The handlers of the flows in which this service waits, by flow. */
  readonly flows: Readonly<Record<string, AskAgain>>;
  /** Milliseconds between two looks at the table, unless a wait that was seen is due before. */
  readonly pollMs?: number;
  /** Milliseconds between two counts for gauges and the log. */
  readonly countMs?: number;
}

export interface AskingAgain {
  /** The flows that have waited for more than a minute. */
  readonly details: ReadDetails;
  stop(): Promise<void>;
}

/** Equals the first delay of a wait: a wait that begins after a look is found by the next look in time. */
const POLL_MS = 1_000 * Math.min(...ASK_AGAIN_SECONDS);
/** Pause while another replica has the waits that are due. */
const HELD_MS = 1_000;
const COUNT_MS = 10_000;
const BATCH_MAX = 64;
/** Handlers at the same time: each may hold one connection or wait for a reply. */
const CONCURRENT_MAX = 4;
const WARN_EVERY_MS = 60_000;

/** Handles at most 64 due waits. A failure of one leaves it for its next repetition. Returns the number of due waits. */
export async function askDue({ pool, log, flows }: Pick<AskAgainOptions, 'pool' | 'log' | 'flows'>): Promise<number> {
  const due = await takeDueWaits(pool, Object.keys(flows), BATCH_MAX);
  async function askOne(wait: DueWait): Promise<void> {
    try {
      const outcome = await flows[wait.flow]?.(wait);
      if (outcome === 'answered') await endWaits(pool, [wait]);
      else log.info({ flow: wait.flow, id: wait.id, asked: wait.asked }, 'asked again');
    } catch (error) {
      log.warn({ err: error, flow: wait.flow, id: wait.id, asked: wait.asked }, 'cannot ask again');
    }
  }
  await inParallel(due, CONCURRENT_MAX, askOne);
  return due.length;
}

/** Asks again for every answer that does not come, and reports the flows that wait for more than a minute. */
export function startAskingAgain(options: AskAgainOptions): AskingAgain {
  const { pool, log, metrics, flows, pollMs = POLL_MS, countMs = COUNT_MS } = options;
  let overdue: readonly OverdueFlow[] = [];
  let countedAtMs = Number.NEGATIVE_INFINITY;
  const warnedAtMs = new Map<string, number>();
  const overdueValue = (flow: string, member: 'waiting' | 'oldestSeconds'): number =>
    overdue.find((one) => one.flow === flow)?.[member] ?? 0;
  for (const flow of Object.keys(flows)) {
    const labels = { flow };
    const waiting = (): number => overdueValue(flow, 'waiting');
    metrics.gauge('flow_waiting', 'Requests to other services unanswered for more than a minute', waiting, labels);
    const age = (): number => overdueValue(flow, 'oldestSeconds');
    metrics.gauge('flow_waiting_seconds', 'Age of the oldest of them', age, labels);
  }

  async function count(hasWaits: boolean): Promise<void> {
    if (hasWaits && monotonicMs() - countedAtMs < countMs) return;
    countedAtMs = monotonicMs();
    overdue = hasWaits ? await overdueFlows(pool) : [];
    for (const one of overdue) {
      if (monotonicMs() - (warnedAtMs.get(one.flow) ?? Number.NEGATIVE_INFINITY) < WARN_EVERY_MS) continue;
      warnedAtMs.set(one.flow, monotonicMs());
      log.warn(one, 'flow waits for an answer');
    }
  }

  async function round(): Promise<AfterRound> {
    const next = await nextWait(pool, Object.keys(flows));
    await count(next.any);
    const dueInMs = Math.ceil(next.dueInMs ?? pollMs);
    if (dueInMs > 0) return { pauseMs: Math.min(dueInMs, pollMs) };
    const taken = await askDue(options);
    return taken > 0 ? 'more' : { pauseMs: Math.min(HELD_MS, pollMs) };
  }
  const { stop } = startLoop(round, { pauseMs: pollMs, log, failure: 'waits not read' });

  return {
    details: async () =>
      (await overdueFlows(pool)).map(({ flow, waiting, oldestSeconds }) => ({
        kind: 'flow',
        name: flow,
        count: waiting,
        oldestSeconds: Math.round(oldestSeconds),
      })),
    stop,
  };
}
