import { signalSubjects } from '@procurement/contracts/events/subjects';
import type { Bus } from '@procurement/kit/messaging/bus';
import { monotonicMs } from '@procurement/kit/runtime/clock';
import type { Metrics } from '@procurement/kit/runtime/metrics';
import { makeSignal } from '@procurement/kit/runtime/signal';
import { beginProjection, readProgress } from '../store/ocds-position.store.ts';
import { projectBatch, rebuildBatch, type ProjectionDeps, type RebuiltBatch } from '../store/project-releases.ts';

export interface ProjectorDeps extends ProjectionDeps {
  readonly bus: Bus;
  readonly metrics: Metrics;
}

/** A signal comes with every page that the follower applies; this bounds the wait for a lost one. */
const IDLE_MS = 1_000;
const FAILED_MS = 1_000;
/** Between the beginnings of two batches: releases of busy seconds share transactions, and are there within a second (ocds.md 1.3). */
const BATCH_EVERY_MS = 250;

/** Makes releases of what the follower applies (ocds.md 1.3). Every replica may run it: the row of the position admits one at a time. */
export function startProjector(deps: ProjectorDeps): { stop(): Promise<void> } {
  const wake = makeSignal();
  const stopSignal = makeSignal();
  let isStopped = false;
  let lagSeconds = 0;
  const releases = deps.metrics.counter('ocds_releases_total', 'Releases that this process made');
  deps.metrics.gauge('ocds_projection_lag_seconds', 'From what is applied back to what is projected', () => lagSeconds);
  // On each connection: the process may start before NATS, and outlive a connection.
  deps.bus.onOpen((connection) => {
    connection.subscribe(signalSubjects.registerApplied, { callback: () => wake.notify() });
  });

  async function step(): Promise<boolean> {
    const batch = await projectBatch(deps);
    if (batch.releases > 0) releases.increment(batch.releases);
    return batch.isMore;
  }

  async function run(): Promise<void> {
    let isBegun = false;
    while (!isStopped) {
      try {
        if (!isBegun) await beginProjection(deps.pool);
        isBegun = true;
        const begunAt = monotonicMs();
        const isMore = await step();
        lagSeconds = await readLag(deps);
        if (isMore || isStopped) continue;
        await wake.wait(IDLE_MS);
        if (!isStopped) await stopSignal.wait(Math.max(0, BATCH_EVERY_MS - (monotonicMs() - begunAt)));
      } catch (error) {
        deps.log.warn({ err: error }, 'releases not made');
        if (!isStopped) await wake.wait(FAILED_MS);
      }
    }
  }

  const running = run();
  return {
    stop: async () => {
      isStopped = true;
      wake.notify();
      stopSignal.notify();
      await running;
    },
  };
}

async function readLag({ pool }: ProjectorDeps): Promise<number> {
  const { position, applied } = (await readProgress(pool)) ?? { position: 0, applied: 0 };
  return Math.max(0, (applied ?? position) - position) / 1_000_000;
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
