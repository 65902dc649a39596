import { addMicros, SECOND, type Instant } from '@procurement/contracts/reading/instant';
import type { Logger } from '@procurement/kit/runtime/log';
import { startLoop, type AfterRound } from '@procurement/kit/runtime/loop';
import type { Signal } from '@procurement/kit/runtime/signal';
import type { TaskKind } from '../domain/outbound.ts';
import type { Room } from '../room.ts';
import type { MasterKey } from '../session/links.ts';
import { FencedError, type Lease } from '../store/leases.store.ts';
import type { DueTask, TasksStore } from '../store/tasks.store.ts';
import type { TenderService } from '../tender-service/client.ts';
import type { Outcome, TaskContext } from './outcome.ts';
import { publishIdentities, publishProtocol } from './publish-protocol.ts';
import { publishLinks } from './publish-links.ts';
import { reportResults } from './report-results.ts';
import { revealNames } from './reveal-names.ts';

/** What the tasks need of the room. */
export interface TasksRoom extends Pick<Room, 'run' | 'isReady'> {
  readonly clock: Pick<Room['clock'], 'now'>;
  readonly auctions: Pick<Room['auctions'], 'read'>;
  readonly leadership: Pick<Room['leadership'], 'shards' | 'lease' | 'lost'>;
}

export interface TasksDeps {
  readonly room: TasksRoom;
  readonly tasks: TasksStore;
  readonly service: TenderService;
  readonly publicUrl: string;
  readonly keys: readonly MasterKey[];
  /** Asks the follower to read a tender. */
  readonly requestReading: (tenderId: string) => Promise<void>;
  readonly signal: Signal;
  /** Answers a number from 0 to 1. */
  readonly random: () => number;
  readonly log: Logger;
}

/** Requests at once: an answer may take 30 s, and one auction must not delay another. */
const CONCURRENT_MAX = 64;
const SLEEP_MS_MAX = 1_000;
const SLEEP_MS_MIN = 20;
const FAILED_PAUSE_SECONDS = 5;

/** Reads the record once more 60 s before the start: the follower plans anew when it differs. */
const checkOpening = async (): Promise<Outcome> => ({ done: true, readsTender: true });

const TASKS: Readonly<Record<TaskKind, (context: TaskContext) => Promise<Outcome>>> = {
  links: publishLinks,
  check: checkOpening,
  protocol: publishProtocol,
  results: reportResults,
  names: revealNames,
  identities: publishIdentities,
};

/**
 * Does the outbound work of the auctions that this replica leads. Each request is harmless twice, because a leader that was
 * replaced may still send one; what it writes down is fenced (auction-room.md 6.3).
 */
export function startTasks(deps: TasksDeps): { stop(): Promise<void> } {
  const { room, tasks, signal, log } = deps;
  const running = new Set<string>();

  async function start(task: DueTask, lease: Lease): Promise<void> {
    const lane = laneOf(task);
    running.add(lane);
    try {
      await runTask(deps, task, lease);
    } catch (error) {
      if (error instanceof FencedError) room.leadership.lost(task.shard);
      else await postpone(task, lease, error);
    } finally {
      running.delete(lane);
      signal.notify(); // Another task may take its place.
    }
  }

  /** Tries a task again later after a failure in the room itself, such as one of its database. */
  async function postpone(task: DueTask, lease: Lease, error: unknown): Promise<void> {
    log.warn({ err: error, auctionId: task.auctionId, kind: task.kind }, 'task not done');
    const againAt = addMicros(room.clock.now(), FAILED_PAUSE_SECONDS * SECOND);
    await tasks
      .record({ task, lease, againAt, error: String(error) })
      .catch((failure: unknown) => log.warn({ err: failure }, 'failed task not postponed'));
  }

  async function round(): Promise<AfterRound> {
    const shards = room.isReady() ? room.leadership.shards() : [];
    if (shards.length === 0) return;
    const now = room.clock.now();
    // A task that ends during the query may still be among its rows. One that is due again is found by the next round.
    const begun = new Set(running);
    const due = await tasks.due(shards, now, CONCURRENT_MAX + begun.size);
    const free = due.filter((task) => !begun.has(laneOf(task))).slice(0, CONCURRENT_MAX - running.size);
    for (const task of free) {
      const lease = room.leadership.lease(task.shard);
      if (lease !== undefined && !running.has(laneOf(task))) void start(task, lease);
    }
    if (due.length > 0) return running.size > 0 ? undefined : { pauseMs: SLEEP_MS_MIN };
    const next = await tasks.nextDue(shards);
    return next === undefined ? undefined : { pauseMs: untilMs(next, room.clock.now()) };
  }

  return startLoop(round, { pauseMs: SLEEP_MS_MAX, signal, log, failure: 'due tasks not read' });
}

/**
 * Tasks of one lane wait for one another. Both versions of the protocol are one document: when they are sent at once, neither finds
 * the other at the tender, and two documents stay.
 */
function laneOf({ auctionId, kind }: DueTask): string {
  return `${auctionId} ${kind === 'identities' ? 'protocol' : kind}`;
}

function untilMs(next: Instant, now: Instant): number {
  return Math.min(Math.max((next - now) / 1_000, SLEEP_MS_MIN), SLEEP_MS_MAX);
}

async function runTask(deps: TasksDeps, task: DueTask, lease: Lease): Promise<void> {
  const { room, tasks, log } = deps;
  const seen = await room.auctions.read(task.auctionId);
  if (seen === undefined) return;
  const outcome = await TASKS[task.kind]({
    ...deps,
    auction: seen.auction,
    now: addMicros(room.clock.now(), seen.aheadMicros),
    attempts: task.attempts,
    run: async (command) => {
      const result = await room.run(task.auctionId, command, 'timer', { lease });
      return result !== undefined && result.refused === undefined;
    },
  });
  if ('readsTender' in outcome) await deps.requestReading(seen.auction.plan.tenderId);
  if ('commands' in outcome) {
    for (const command of outcome.commands) await room.run(task.auctionId, command, 'timer', { lease });
    return;
  }
  if ('done' in outcome) return tasks.record({ task, lease, againAt: null });
  const { againSeconds, error } = outcome;
  if (error !== undefined)
    log.warn({ auctionId: task.auctionId, kind: task.kind, error, againSeconds }, 'task refused');
  const againAt = addMicros(room.clock.now(), againSeconds * SECOND);
  await tasks.record({ task, lease, againAt, ...(error === undefined ? {} : { error }) });
}
