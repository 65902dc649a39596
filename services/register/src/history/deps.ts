import type { Bus } from '@procurement/kit/messaging/bus';
import type { Clock } from '@procurement/kit/runtime/clock';
import { makeWorkerPool, type WorkerPool } from '@procurement/kit/runtime/worker-pool';
import type { RevisionDeps } from '../revisions/deps.ts';
import { askIfPublic, type IsPublic } from '../revisions/tender-owner.ts';
import type { PatchJob } from './domain/patches-between.ts';
import { makeKeptPatches, type KeptPatches } from './kept-patches.ts';

/** What answers about the history of a tender need. */
export interface HistoryDeps extends Pick<RevisionDeps, 'freshness' | 'history'> {
  readonly config: { readonly PUBLIC_BASE_URL: string };
  readonly clock: Clock;
  readonly isPublic: IsPublic;
  readonly patches: KeptPatches;
}

export interface HistoryParts extends Pick<HistoryDeps, 'isPublic' | 'patches'> {
  readonly workers: Pick<WorkerPool<PatchJob, readonly string[]>, 'stop'>;
}

/** `script`: what a thread runs that compares texts. */
export function makeHistory({ history }: Pick<RevisionDeps, 'history'>, bus: Bus, script: URL): HistoryParts {
  const workers = makeWorkerPool<PatchJob, readonly string[]>({
    script,
    waitingMax: 128,
    clientsRest: true,
    waitMsMax: 5_000,
  });
  return { isPublic: askIfPublic(bus), patches: makeKeptPatches({ history, workers }), workers };
}
