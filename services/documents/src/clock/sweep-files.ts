import { makeSignal } from '@procurement/kit/runtime/signal';
import type { Logger } from '@procurement/kit/runtime/log';
import type { Metrics } from '@procurement/kit/runtime/metrics';
import { keyOf, type FileStorage } from '../files/file-storage.ts';
import type { FileRecordsStore, OrphanAges } from '../store/file-records.store.ts';

/**
 * Hours that a file lives without a document. What came by the API and became none is nobody's, and goes after a day; what was
 * brought to the document service may still be registered (http.md 2.9: 30 days, and 7 for a promise alone).
 */
export const ORPHAN_AGES: OrphanAges = { apiHours: 24, serviceHours: 30 * 24, registeredHours: 7 * 24 };

/** Files of one round: the clean-up never stands in the way of others. */
const ROUND_FILES_MAX = 100;
const SWEEP_INTERVAL_MS = 10 * 60 * 1_000;

export interface SweepDeps {
  readonly fileRecords: FileRecordsStore;
  readonly fileStorage: FileStorage;
  readonly log: Logger;
}

/**
 * Removes files that no document refers to, at most a hundred, and what uploads that never ended have left. Marked first,
 * removed then, forgotten last: an end at any moment is made good by the next round, and a file that was just registered for a
 * document is not among them. Any number of replicas may do it at once. Gives how many it removed.
 */
export async function sweep({ fileRecords, fileStorage, log }: SweepDeps, ages = ORPHAN_AGES): Promise<number> {
  await fileStorage.removeAbandoned();
  const droppedIds = await fileRecords.dropOrphans(ROUND_FILES_MAX, ages);
  let removed = 0;
  for (const id of droppedIds) {
    try {
      await fileStorage.remove(keyOf(id));
      await fileRecords.deleteDropped(id);
      removed += 1;
    } catch (error) {
      log.warn({ err: error, fileId: id }, 'orphan not removed');
    }
  }
  return removed;
}

/** Sweeps every ten minutes, and at once again while there is more. */
export function startSweeping(deps: SweepDeps & { readonly metrics: Metrics }): { stop(): Promise<void> } {
  const signal = makeSignal();
  const removedTotal = deps.metrics.counter(
    'orphan_files_removed_total',
    'Files that were removed since no document refers to them',
  );
  let stopped = false;
  async function run(): Promise<void> {
    while (!stopped) {
      const removed = await sweep(deps).catch((error: unknown) => {
        deps.log.warn({ err: error }, 'files could not be swept');
        return 0;
      });
      removedTotal.increment(removed);
      if (removed < ROUND_FILES_MAX && !stopped) await signal.wait(SWEEP_INTERVAL_MS);
    }
  }
  const running = run();
  return {
    async stop() {
      stopped = true;
      signal.notify();
      await running;
    },
  };
}
