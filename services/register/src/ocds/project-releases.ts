import { signalSubjects } from '@procurement/contracts/events/subjects';
import type { Bus } from '@procurement/kit/messaging/bus';
import { startLoop, type AfterRound } from '@procurement/kit/runtime/loop';
import type { Metrics } from '@procurement/kit/runtime/metrics';
import { beginProjection, readProgress, recordIdle, unprojectedMicros } from './ocds-position.store.ts';
import { projectBatch, rebuildBatch, type ProjectionDeps, type RebuiltBatch } from './project-batch.ts';

export interface ProjectorDeps extends ProjectionDeps {
  readonly bus: Bus;
  readonly metrics: Metrics;
}

/** A signal comes with every page that the follower applies, and every 5 s; this bounds the wait for lost ones. */
const IDLE_MS = 10_000;
/**
 * Time between the starts of two batches: releases of busy seconds share transactions and the state of their process, and are there within a
 * second (ocds.md 1.3, docs/performance.md).
 */
const BATCH_EVERY_MS = 750;

/** Makes releases of what the follower applies (ocds.md 1.3). Every replica may run it: the row of the position admits one at a time. */
export function startProjector(deps: ProjectorDeps): { stop(): Promise<void> } {
  let lagSeconds = 0;
  const releases = deps.metrics.counter('ocds_releases_total', 'Releases that this process made');
  deps.metrics.gauge('ocds_projection_lag_seconds', 'From what is applied back to what is projected', () => lagSeconds);

  async function round(): Promise<AfterRound> {
    const progress = await readProgress(deps.pool);
    if (progress === undefined) {
      await beginProjection(deps.pool);
      return 'more';
    }
    lagSeconds = unprojectedMicros(progress) / 1_000_000;
    // Most rounds have nothing to do: one statement, where a batch is a transaction of five.
    if (lagSeconds === 0) {
      await recordIdle(deps.pool, progress);
      return undefined;
    }
    const batch = await projectBatch(deps);
    if (batch.releases > 0) releases.increment(batch.releases);
    if (batch.isMore) return 'more';
    lagSeconds = 0;
    return undefined;
  }
  const pauses = { pauseMs: IDLE_MS, spacingMs: BATCH_EVERY_MS };
  const loop = startLoop(round, { ...pauses, log: deps.log, failure: 'releases not made' });
  // On each connection: the process may start before NATS, and outlive a connection.
  deps.bus.onOpen((connection) => {
    connection.subscribe(signalSubjects.registerApplied, { callback: () => loop.wake() });
  });
  return loop;
}

const FIRST_ID = '0'.repeat(32);

/** The command `ocds-rebuild`: applies a changed mapping to all tenders. Returns the exit code. */
export async function rebuildReleases(deps: ProjectionDeps, print: (line: string) => void): Promise<number> {
  await beginProjection(deps.pool);
  let releases = 0;
  let after: string | undefined = FIRST_ID;
  while (after !== undefined) {
    const batch: RebuiltBatch = await rebuildBatch(deps, after);
    releases += batch.releases;
    after = batch.last;
  }
  print(`${releases} releases made`);
  return 0;
}
