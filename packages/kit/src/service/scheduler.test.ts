import type { Instant } from '@procurement/contracts/reading/instant';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Bus } from '../messaging/bus.ts';
import { makeLog } from '../runtime/log.ts';
import { makeMetrics } from '../runtime/metrics.ts';
import { startScheduler, type RoundResult, type Scheduler } from './scheduler.ts';

const MS = 1_000;
/** Follows the fake timers. */
const clock = { now: () => Math.round(performance.now() * MS) as Instant };
const inMs = (ms: number): Instant => (clock.now() + ms * MS) as Instant;

let schedulers: Scheduler[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  schedulers = [];
});

afterEach(async () => {
  await Promise.all(schedulers.map(async (scheduler) => scheduler.stop()));
  vi.useRealTimers();
});

/** The rows of a database: their deadlines. Shared by the schedulers of a test. */
function table() {
  let rows: Instant[] = [];
  const ran: { readonly due: Instant; readonly at: Instant }[] = [];
  let reads = 0;
  return {
    ran,
    reads: () => reads,
    commit: (due: Instant) => void rows.push(due),
    start(replicas?: { readonly bus: Bus; readonly service: string }): Scheduler {
      const scheduler = startScheduler({
        runDue: async () => {
          const due = rows.filter((row) => row <= clock.now());
          rows = rows.filter((row) => !due.includes(row));
          ran.push(...due.map((one) => ({ due: one, at: clock.now() })));
          return { processed: due.length, latenessMaxMicros: 0 };
        },
        nextDue: async () => {
          reads += 1;
          return rows.length === 0 ? undefined : (Math.min(...rows) as Instant);
        },
        clock,
        log: makeLog('test', 'silent'),
        metrics: makeMetrics('test'),
        ...(replicas === undefined ? {} : { replicas }),
      });
      schedulers.push(scheduler);
      return scheduler;
    },
  };
}

/** Delivers what is published to all subscribers, also to those of the publisher. */
function testBus(): { readonly bus: Bus; readonly published: string[] } {
  const published: string[] = [];
  const callbacks: ((error: null, message: { string(): string }) => void)[] = [];
  const connection = {
    publish(subject: string, text = '') {
      published.push(`${subject} ${text}`);
      for (const callback of callbacks) callback(null, { string: () => text });
    },
    subscribe(_subject: string, { callback }: { callback: (typeof callbacks)[number] }) {
      callbacks.push(callback);
      return { unsubscribe: () => callbacks.splice(callbacks.indexOf(callback), 1) };
    },
  };
  const bus = { connected: () => true, connection, onOpen: (open: (opened: object) => void) => open(connection) };
  return { bus: bus as unknown as Bus, published };
}

describe('startScheduler', () => {
  it('reads one row in five seconds while nothing is due, and runs nothing', async () => {
    const { start, reads, ran, commit } = table();
    commit(inMs(3_600_000));
    start();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(reads()).toBe(13);
    expect(ran).toEqual([]);
  });

  it('runs a deadline at its time, with all that are due', async () => {
    const { start, ran, commit } = table();
    const due = [inMs(7_300), inMs(7_300), inMs(12_000)];
    for (const at of due) commit(at);
    start();
    await vi.advanceTimersByTimeAsync(13_000);
    expect(ran).toEqual(due.map((at) => ({ due: at, at })));
  });

  it('issue 15 R18: a deadline that is announced while the next one is read is not slept over', async () => {
    const reads: ((next: Instant | undefined) => void)[] = [];
    const runDue = vi.fn<() => Promise<RoundResult>>(async () => ({ processed: 0, latenessMaxMicros: 0 }));
    const nextDue = async (): Promise<Instant | undefined> => new Promise((resolve) => reads.push(resolve));
    const log = makeLog('test', 'silent');
    const scheduler = startScheduler({ runDue, nextDue, clock, log, metrics: makeMetrics('test') });
    await vi.advanceTimersByTimeAsync(0);
    // Known until the next read, which comes after it.
    reads[0]?.(inMs(10));
    await vi.advanceTimersByTimeAsync(20);
    const due = inMs(1);
    scheduler.wake(due);
    reads[1]?.(undefined);
    await vi.advanceTimersByTimeAsync(10);
    reads[2]?.(due);
    await vi.advanceTimersByTimeAsync(10);
    expect(runDue).toHaveBeenCalled();
    const stopping = scheduler.stop();
    for (const resolve of reads) resolve(undefined);
    await stopping;
  });

  it('runs an announced deadline at its time, though its row is committed after the announcement was looked for', async () => {
    const { start, ran, commit } = table();
    const scheduler = start();
    await vi.advanceTimersByTimeAsync(1_000);
    const due = inMs(2_000);
    scheduler.wake(due);
    await vi.advanceTimersByTimeAsync(500);
    commit(due);
    await vi.advanceTimersByTimeAsync(1_600);
    expect(ran).toEqual([{ due, at: due }]);
  });

  it('finds a deadline that was not announced in five seconds, and in a tenth of a second when it is told to look', async () => {
    const { start, ran, commit } = table();
    const scheduler = start();
    await vi.advanceTimersByTimeAsync(100);
    commit(clock.now());
    await vi.advanceTimersByTimeAsync(4_000);
    expect(ran).toEqual([]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(ran).toHaveLength(1);
    commit(clock.now());
    scheduler.checkSoon();
    scheduler.checkSoon();
    await vi.advanceTimersByTimeAsync(100);
    expect(ran).toHaveLength(2);
  });

  it('announces deadlines of the next seconds to other replicas, which run them when this one ends', async () => {
    const { bus, published } = testBus();
    const { start, ran, commit } = table();
    const replicas = { bus, service: 'things' };
    const first = start(replicas);
    start(replicas);
    await vi.advanceTimersByTimeAsync(1_000);
    const [soon, late] = [inMs(3_000), inMs(3_600_000)];
    for (const due of [soon, late]) {
      commit(due);
      first.wake(due);
    }
    expect(published).toEqual([`wake.things ${soon}`]);
    await first.stop();
    await vi.advanceTimersByTimeAsync(3_500);
    expect(ran).toEqual([{ due: soon, at: soon }]);
  });

  it('takes a message without a deadline, which is for the relay, for none', async () => {
    const { bus } = testBus();
    const { start, reads } = table();
    start({ bus, service: 'things' });
    await vi.advanceTimersByTimeAsync(0);
    bus.connection.publish('wake.things');
    bus.connection.publish('wake.things', 'x');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(reads()).toBe(1);
  });
});
