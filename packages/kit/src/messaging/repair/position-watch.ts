import { randomInt } from 'node:crypto';
import type pg from 'pg';
import { ConflictError, transact } from '../../database/transaction.ts';
import type { Logger } from '../../runtime/log.ts';
import type { Metrics } from '../../runtime/metrics.ts';
import { makeSignal } from '../../runtime/signal.ts';
import { acknowledgedSeq, assessPosition, findLoss, type Assessment, type ServerState } from './assess-position.ts';
import type { Bus } from '../bus.ts';
import {
  removePositions,
  hasCopyMarker,
  readPosition,
  setCopyMarker,
  storeVerified,
  type CheckedPosition,
} from './stored-position.ts';
import { claimAtPosition, raisePosition, SLOTS, type AppliedPosition } from '../consume/applied-position.ts';
import { findRepair, requestRebuild, requestReplay, type Repair } from './repair-rows.ts';
import { repairCounters, stepRepair, type RepairDeps } from './run-repair.ts';
import { nextMatchingSeq, readServerState } from './stream-range.ts';
import type { Subscription } from '../consume/subscription.ts';

export interface PositionWatchDeps {
  readonly pool: pg.Pool;
  readonly bus: Bus;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Milliseconds between two checks. */
  readonly checkEveryMs: number;
  /** Called before each transaction of a repair; the function it returns is called after the commit. */
  readonly beforeTransaction?: () => () => void;
}

/** Keeps the position of one durable in the database of the service, and repairs what the durable maintains. */
export interface PositionWatch extends AppliedPosition {
  /** The repair under way, as of the last check or step. */
  repair(): Repair | undefined;
  /** Checks from time to time and makes the steps of repairs, until `stop`. */
  run(): Promise<void>;
  stop(): void;
}

/** What a check reads before its transaction. */
interface Evidence {
  readonly server: ServerState;
  /** Asked after the position was read, if `server` does not know all that was applied; otherwise `server`. */
  readonly later: ServerState;
  readonly stored: CheckedPosition | undefined;
  /** The first event after the applied ones that matches the filter; not read when nothing can be missing. */
  readonly nextSeq: number | undefined;
}

interface Checked {
  readonly assessment: Assessment;
  readonly server: ServerState;
  /** The position as the check has stored it. */
  readonly stored: CheckedPosition | undefined;
  readonly found: Repair | undefined;
}

const CHECK_LOCK_SEED = 7_270_738_005;
/** Attempts of a check that other processes overtake, as when many of them start. */
const CHECK_ATTEMPTS_MAX = 5;
/** Pause before the next attempt when an owner is away or another process repairs. */
const RETRY_MS = 1_000;

/**
 * Whether `later` can follow `earlier` without a check or a restore between them. A backup may have the same last check as the
 * database that it replaces, but it has applied less.
 */
function continues(earlier: CheckedPosition | undefined, later: CheckedPosition | undefined): boolean {
  return earlier?.checkedAt === later?.checkedAt && (later?.appliedSeq ?? 0) >= (earlier?.appliedSeq ?? 0);
}

export function watchPosition(subscription: Subscription, deps: PositionWatchDeps): PositionWatch {
  const { pool, bus, metrics } = deps;
  const { durable, factType, replicaKind } = subscription;
  const log = deps.log.child({ durable });
  const row = { durable, slot: randomInt(SLOTS) };
  const repairDeps: RepairDeps = {
    pool,
    bus,
    log,
    ...repairCounters(metrics, durable),
    ...(deps.beforeTransaction === undefined ? {} : { beforeTransaction: deps.beforeTransaction }),
  };
  const losses = metrics.counter('consumer_losses_total', 'Losses of events that nobody can repair here', { durable });
  const signal = makeSignal();
  let stopped = false;
  let createdAt = '';
  let verified = 0;
  let knownSeq = 0;
  /** The last check has found and stored that nothing is missing. */
  let isSettled = false;
  let repair: Repair | undefined;
  metrics.gauge(
    'consumer_position_behind',
    '1 while the copies of a durable are repaired',
    () => (repair === undefined ? 0 : 1),
    { durable },
  );

  async function isCopyMissing(tx: pg.Pool | pg.PoolClient): Promise<boolean> {
    return replicaKind !== undefined && !(await hasCopyMarker(tx, replicaKind));
  }

  /**
   * What server and database say, without a transaction: one that waits for NATS would keep a connection from the requests of
   * the service.
   */
  async function readEvidence(): Promise<Evidence> {
    const server = await readServerState(bus, subscription);
    // Read after the state of the server: an event acknowledged meanwhile must not look like one that is missing here.
    const stored = await readPosition(pool, durable);
    const acknowledged = acknowledgedSeq(server.durable, stored?.verifiedSeq ?? 0);
    const nextSeq =
      stored !== undefined && acknowledged > stored.appliedSeq
        ? await nextMatchingSeq(bus, subscription, stored.appliedSeq)
        : undefined;
    // An event published, delivered and applied between the two answers must not look like one that the server has lost.
    const isLossPossible = stored !== undefined && findLoss(server, stored) !== undefined;
    const later = isLossPossible ? await readServerState(bus, subscription) : server;
    return { server, later, stored, nextSeq };
  }

  async function store(tx: pg.PoolClient, assessment: Assessment, streamCreatedAt: string): Promise<void> {
    const position = { streamCreatedAt, seq: assessment.floorSeq };
    if ('isReset' in assessment && assessment.isReset) await removePositions(tx, durable);
    await storeVerified(tx, row, position);
    if (assessment.kind === 'rebuild') await requestRebuild(tx, durable, assessment.reason);
    if (assessment.kind === 'replay') {
      const { reason, afterSeq, floorSeq: untilSeq } = assessment;
      await requestReplay(tx, durable, { reason, afterSeq, untilSeq });
    }
  }

  /** Undefined: another process has checked since `evidence`. */
  async function assessAndStore(tx: pg.PoolClient, evidence: Evidence): Promise<Checked | undefined> {
    await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, ${CHECK_LOCK_SEED}))`, [durable]);
    const { server, later, stored, nextSeq } = evidence;
    if (!continues(stored, await readPosition(tx, durable))) return undefined;
    const copyMissing = stored !== undefined && (await isCopyMissing(tx));
    const hasFacts = factType !== undefined;
    const assessment = assessPosition({ ...server, later, stored, nextSeq, copyMissing, hasFacts });
    await store(tx, assessment, later.stream.createdAt);
    // Before a rebuild rather than at its end, so that copies which are emptied meanwhile are noticed.
    if (replicaKind !== undefined) await setCopyMarker(tx, replicaKind);
    const found = await findRepair(tx, durable);
    return { assessment, server: later, stored: await readPosition(tx, durable), found };
  }

  /**
   * Whether a check would find and store what the last one has: most are of idle durables. Reads without a transaction and without
   * a look for other checks, as nothing follows from it.
   */
  async function isUnchanged(): Promise<boolean> {
    if (!isSettled) return false;
    const { server, later, stored, nextSeq } = await readEvidence();
    if (stored === undefined || stored.hasRepair) return false;
    if (later.stream.createdAt !== createdAt || stored.appliedSeq < knownSeq) return false;
    const copyMissing = await isCopyMissing(pool);
    const hasFacts = factType !== undefined;
    const assessment = assessPosition({ ...server, later, stored, nextSeq, copyMissing, hasFacts });
    return assessment.kind === 'current' && assessment.floorSeq === stored.verifiedSeq;
  }

  async function checkAlone(): Promise<Checked> {
    for (let attempt = 1; attempt <= CHECK_ATTEMPTS_MAX; attempt += 1) {
      const before = await readPosition(pool, durable);
      const evidence = await readEvidence();
      // Another process has checked while this one read.
      if (!continues(before, evidence.stored)) continue;
      const checked = await transact(pool, async (tx) => assessAndStore(tx, evidence));
      if (checked !== undefined) return checked;
    }
    throw new ConflictError(undefined);
  }

  async function check(): Promise<void> {
    const checked = await checkAlone();
    const { assessment, server } = checked;
    createdAt = server.stream.createdAt;
    verified = assessment.floorSeq;
    knownSeq = checked.stored?.appliedSeq ?? 0;
    repair = checked.found;
    isSettled = assessment.kind === 'current' && repair === undefined;
    await report(assessment, server);
    if (repair !== undefined) signal.notify();
  }

  async function report(assessment: Assessment, { stream, durable: durableState }: ServerState): Promise<void> {
    if (assessment.kind === 'current') return;
    const { kind, reason } = assessment;
    if (kind === 'lost') {
      losses.increment();
      log.error({ reason }, 'events were lost; their sender has to repeat them');
    } else log.warn({ kind, reason }, 'behind the stream, repair begins');
    // Events up to the sequence at which such a durable stands would never be delivered.
    if (durableState !== undefined && durableState.deliveredSeq > stream.lastSeq)
      await bus.manager.consumers.delete(subscription.stream.name, durable);
  }

  async function runRepair(): Promise<void> {
    while (!stopped && repair !== undefined) {
      const result = await stepRepair(subscription, repairDeps, repair);
      // At random, so that processes which disturb each other's reading of the stream do so once.
      if (result === 'waiting') await signal.wait(randomInt(RETRY_MS / 2, RETRY_MS));
      repair = await findRepair(pool, durable);
    }
  }

  return {
    check,
    streamCreatedAt: () => createdAt,
    verifiedSeq: () => verified,
    claim: async (tx, reached, eventIds) => claimAtPosition(tx, row, { reached, knownSeq }, eventIds),
    committed({ streamCreatedAt, seq }) {
      if (streamCreatedAt === createdAt) knownSeq = Math.max(knownSeq, seq);
    },
    raise: async (reached) => raisePosition(pool, row, reached),
    wake() {
      isSettled = false;
      signal.notify();
    },
    repair: () => repair,
    async run() {
      // The durables of a process start together: checks at one moment would each open a connection to the database.
      let waitMs = randomInt(Math.ceil(deps.checkEveryMs / 2), deps.checkEveryMs + 1);
      while (!stopped) {
        await signal.wait(waitMs);
        waitMs = deps.checkEveryMs;
        if (stopped || createdAt === '' || !bus.connected()) continue;
        try {
          if (await isUnchanged()) continue;
          await check();
          await runRepair();
        } catch (error) {
          if (!stopped) log.warn({ err: error }, 'position not checked');
          waitMs = RETRY_MS;
        }
      }
    },
    stop() {
      stopped = true;
      signal.notify();
    },
  };
}
