import { signalSubjects } from '@procurement/contracts/events/subjects';
import { startExclusive, type ExclusiveTurn } from '@procurement/kit/database/session-lock';
import type { Bus } from '@procurement/kit/messaging/bus';
import { makeCommitSignal } from '@procurement/kit/messaging/publish/commit-signal';
import { judgePage, type PageVerdict } from '@procurement/kit/messaging/request/judge-page';
import {
  askListing,
  askPublications,
  type OwnerPage,
  type PageSize,
  type PublishedRow,
} from '@procurement/kit/messaging/request/publication-pages';
import { monotonicMs, type Clock } from '@procurement/kit/runtime/clock';
import type { Logger } from '@procurement/kit/runtime/log';
import type { Metrics } from '@procurement/kit/runtime/metrics';
import type { ReadyDetail } from '@procurement/kit/runtime/ready-detail';
import { makeInterruption } from '@procurement/kit/runtime/interruption';
import { makeSignal } from '@procurement/kit/runtime/signal';
import type pg from 'pg';
import { applyEpoch } from './apply-epoch.ts';
import { applyPage, FollowMovedError } from './apply-publications.ts';
import {
  beginFollow,
  FOLLOWER_LOCK,
  readFollow,
  recordHeard,
  type Backfill,
  type FollowState,
} from './follow.store.ts';
import { askedOwner, readPublication } from './owner-pages.ts';

export interface FollowDeps {
  readonly databaseUrl: string;
  readonly pool: pg.Pool;
  readonly bus: Bus;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly clock: Clock;
  /** Rows and bytes of one page; set by tests. */
  readonly page?: PageSize;
  /** Pause before asking again what cannot be applied; set by tests. */
  readonly problemMs?: number;
}

export interface Follower {
  /** What stops this process from following; empty in a process that stands by. */
  problems(): readonly ReadyDetail[];
  /** Finishes the transaction that is running. */
  stop(): Promise<void>;
}

/** A signal comes with every commit of the owner; this bounds the wait for a lost one. The next question asks for a horizon too. */
const IDLE_MS = 5_000;
const UNANSWERED_MS = 250;
const PROBLEM_MS = 5_000;
const HORIZON_EVERY_MS = 5_000;
/** Publications that the log keeps for a day longer: a back-fill has that time for its listing. */
const LOG_DAYS_READ = 6;
const DAY_MICROSECONDS = 86_400_000_000;

const FOLLOWED = { baseline: false } as const;

/** `idle`: the owner had nothing more when it answered. Its signal of the next publication comes after that. */
type Outcome = 'more' | 'idle' | 'unanswered' | 'problem';

/**
 * Follows the publications of the owner (register.md 2.4), after a back-fill (2.5). One process per database follows; the others
 * stand by. Each page is one transaction with the position, so that a process that is killed anywhere leaves nothing out.
 */
export function startFollower(deps: FollowDeps): Follower {
  const { pool, bus, log, metrics } = deps;
  const owner = askedOwner(bus, deps.page);
  const gaps = metrics.counter('register_gap_total', 'Times that the log of publications had a gap after the position');
  const wake = makeSignal();
  const stopSignal = makeSignal();
  const signalApplied = makeCommitSignal(bus, signalSubjects.registerApplied);
  let problem: ReadyDetail | undefined;
  /** The process must end, or has lost its lock. */
  let interruption = makeInterruption();
  let state: FollowState | undefined;
  let askedHorizonAt = -HORIZON_EVERY_MS;
  let lastOldest: number | undefined;
  let lastSeen: { readonly position: number; readonly head: number } = { position: 0, head: 0 };

  bus.onOpen((connection) => {
    connection.subscribe(signalSubjects.tendersPublished, { callback: () => wake.notify() });
  });
  metrics.gauge('register_lag_seconds', 'Age of the position while the owner has more, else 0; of the follower', () =>
    lastSeen.head > lastSeen.position ? (deps.clock.now() - lastSeen.position) / 1_000_000 : 0,
  );
  metrics.gauge('register_behind_log_seconds', 'From the oldest publication of the log to the position', () =>
    lastOldest === undefined ? 0 : (lastSeen.position - lastOldest) / 1_000_000,
  );

  async function step(): Promise<Outcome> {
    state ??= await readFollow(pool);
    if (state === undefined) return begin();
    if (state.backfill?.archive !== undefined) {
      state = undefined;
      return stopAt({}, 'the archive was not loaded to its end: stop the service and repeat archive load');
    }
    return state.backfill?.after == null ? follow(state) : list(state, state.backfill, state.backfill.after);
  }

  /** The first contact: from here on everything is remembered in the database. */
  async function begin(): Promise<Outcome> {
    const page = await interruption.unlessInterrupted(
      askPublications(owner, { after: Number.MAX_SAFE_INTEGER, epoch: 0, horizon: true }),
    );
    if (page?.horizon === undefined) return 'unanswered';
    const backfill = planBackfill(page, page.horizon, 0);
    await beginFollow(pool, { position: backfill.upTo, epoch: page.epoch, backfill, head: page.head });
    log.info({ ...backfill }, 'back-fill begins');
    return 'more';
  }

  /** Applies one page of the listing. */
  async function list(before: FollowState, backfill: Backfill, after: number): Promise<Outcome> {
    const page = await interruption.unlessInterrupted(askListing(owner, { after, upTo: backfill.upTo }));
    if (page === undefined) return 'unanswered';
    const publications = page.publications.map(readPublication);
    const next = { ...backfill, after: publications.at(-1)?.position ?? null };
    const source = { baseline: true };
    const step = { ...before, head: page.head, backfill: next };
    await applyPage(deps, before, { publications, source, step });
    state = undefined;
    return 'more';
  }

  async function follow(before: FollowState): Promise<Outcome> {
    const { position, epoch, followedFrom } = before;
    const horizon = monotonicMs() - askedHorizonAt >= HORIZON_EVERY_MS;
    const page = await interruption.unlessInterrupted(askPublications(owner, { after: position, epoch, horizon }));
    if (page === undefined) return 'unanswered';
    lastOldest = page.oldest;
    lastSeen = { position, head: page.head };
    if (horizon) askedHorizonAt = monotonicMs();
    const verdict = judgePage({
      position,
      epoch,
      isUnlinked: position === followedFrom,
      publications: page.publications,
      owner: {
        ...page,
        hasNewEpochs: page.epochs.length > 0,
      },
    });
    return act(before, page, verdict);
  }

  async function act(before: FollowState, page: OwnerPage, verdict: PageVerdict<PublishedRow>): Promise<Outcome> {
    switch (verdict.kind) {
      case 'apply': {
        const publications = verdict.publications.map(readPublication);
        const position = publications.at(-1)?.position ?? before.position;
        const isWhole = publications.length === page.publications.length && position >= page.head;
        const horizon = isWhole ? (page.horizon ?? before.horizon) : before.horizon;
        const ended = before.backfill !== undefined && position >= before.backfill.until;
        const backfill = ended ? undefined : before.backfill;
        const next = { ...before, position, horizon, head: page.head, backfill };
        await applyPage(deps, before, { publications, source: FOLLOWED, step: next });
        if (ended) log.info({ position }, 'back-fill ended');
        state = next;
        lastSeen = { position, head: page.head };
        signalApplied();
        return isWhole && backfill === undefined ? 'idle' : 'more';
      }
      case 'idle':
        return idle(before, page);
      case 'epochs':
        for (const epoch of page.epochs) {
          log.warn({ ...epoch }, 'the owner was restored: publications after it are void');
          await applyEpoch(pool, epoch);
        }
        state = undefined;
        return 'more';
      case 'hole':
        return listAgain(before, page);
      case 'gap':
        gaps.increment();
        return stopAt({ ...verdict }, 'the log of publications has a gap: nothing after it is applied');
      case 'restored':
        return stopAt(
          { ...verdict },
          'the owner has lost publications, or its database was restored without FEED_EPOCH: README, "After a restore of tenders alone"',
        );
      default:
        return verdict satisfies never;
    }
  }

  async function idle(before: FollowState, page: OwnerPage): Promise<Outcome> {
    if (before.backfill !== undefined) {
      const next = { ...before, backfill: undefined, head: page.head };
      await applyPage(deps, before, { publications: [], source: FOLLOWED, step: next });
      log.info({ position: before.position }, 'back-fill ended');
      state = next;
    }
    if (page.horizon !== undefined) {
      await recordHeard(pool, before.position, { horizon: page.horizon, head: page.head });
      signalApplied();
    }
    return 'idle';
  }

  /** The register was away for longer than the log is kept: the owner lists what has changed (register.md 2.5). */
  async function listAgain(before: FollowState, page: OwnerPage): Promise<Outcome> {
    const { horizon = page.head } = page;
    const backfill = planBackfill(page, horizon, before.position);
    log.error(
      { position: before.position, ...backfill },
      'publications were lost: away for longer than the log is kept',
    );
    const next = { ...before, position: backfill.upTo, followedFrom: backfill.upTo, backfill, head: page.head };
    await applyPage(deps, before, { publications: [], source: FOLLOWED, step: next });
    state = undefined;
    return 'more';
  }

  function stopAt(facts: object, text: string): Outcome {
    log.error(facts, text);
    problem = { kind: 'follower', name: 'publications', count: 1, text };
    return 'problem';
  }

  async function work({ isHeld }: ExclusiveTurn): Promise<void> {
    state = undefined;
    interruption = makeInterruption();
    while (isHeld()) {
      const outcome = await step().catch((error: unknown) => failed(error));
      if (outcome !== 'unanswered' && outcome !== 'problem') problem = undefined;
      if (!isHeld()) break;
      if (outcome === 'problem') await stopSignal.wait(deps.problemMs ?? PROBLEM_MS);
      else if (outcome === 'idle') await wake.wait(IDLE_MS);
      else if (outcome === 'unanswered') await stopSignal.wait(UNANSWERED_MS);
    }
    problem = undefined;
  }

  function failed(error: unknown): Outcome {
    state = undefined;
    if (error instanceof FollowMovedError) return 'unanswered';
    log.warn({ err: error }, 'publications not applied');
    return 'unanswered';
  }

  const exclusive = startExclusive({
    databaseUrl: deps.databaseUrl,
    name: 'register-follower',
    lockKey: FOLLOWER_LOCK,
    log,
    onLost: () => {
      interruption.interrupt();
      wake.notify();
      stopSignal.notify();
    },
    work,
  });
  return {
    problems: () => (problem === undefined ? [] : [problem]),
    stop: async () => exclusive.stop(),
  };
}

/**
 * Where a listing ends and following begins: as far back as the log reaches, at most six days, so that the log still has what
 * follows when the listing ends.
 */
function planBackfill({ head, oldest }: OwnerPage, horizon: number, after: number): Backfill {
  const newest = Math.min(head, horizon);
  const upTo =
    oldest === undefined ? newest : Math.min(newest, Math.max(oldest, horizon - LOG_DAYS_READ * DAY_MICROSECONDS));
  return { after, upTo, until: newest };
}
