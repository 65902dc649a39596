import { makeSignal } from '@procurement/kit/runtime/signal';
import type { Logger } from '@procurement/kit/runtime/log';
import { startLoop, type AfterRound } from '@procurement/kit/runtime/loop';
import type { Metrics } from '@procurement/kit/runtime/metrics';
import { prepareStorage } from '@procurement/kit/files/prepare-storage';
import { fileKeyOf } from '../files/file-key.ts';
import { type FileStorage } from '@procurement/kit/files/file-storage';
import type { FileRecordsStore, OrphanAges } from '../store/file-records.store.ts';

/**
 * Hours after which a file without a document is deleted: API uploads whose document was never created after 24 hours, uploads
 * to the document service after 30 days, registrations without an upload after 7 days (http.md 2.9).
 */
export const ORPHAN_AGES: OrphanAges = { apiHours: 24, serviceHours: 30 * 24, registeredHours: 7 * 24 };

/** Files of one round, so that a round does not hold row locks for long. */
const ROUND_FILES_MAX = 100;
const SWEEP_INTERVAL_MS = 10 * 60 * 1_000;

export interface SweepDeps {
  readonly fileRecords: FileRecordsStore;
  readonly fileStorage: FileStorage;
  readonly log: Logger;
}

/**
 * Removes at most a hundred files that no document refers to, and the remains of uploads that never ended. Marks the row first,
 * removes the file, then deletes the row: after a crash at any moment the next round continues. A file that was just registered
 * for a document is not removed. Any number of replicas may run it at once. Returns the number of removed files.
 */
export async function sweep({ fileRecords, fileStorage, log }: SweepDeps, ages = ORPHAN_AGES): Promise<number> {
  await fileStorage.removeAbandoned();
  const droppedIds = await fileRecords.dropOrphans(ROUND_FILES_MAX, ages);
  let removed = 0;
  for (const id of droppedIds) {
    try {
      await fileStorage.remove(fileKeyOf(id));
      await fileRecords.deleteDropped(id);
      removed += 1;
    } catch (error) {
      log.warn({ err: error, fileId: id }, 'cannot remove orphan file');
    }
  }
  return removed;
}

/** Prepares the storage, then runs `sweep` every ten minutes, and again at once after a full round. */
export function startSweeping(deps: SweepDeps & { readonly metrics: Metrics }): { stop(): Promise<void> } {
  const signal = makeSignal();
  const removedTotal = deps.metrics.counter(
    'orphan_files_removed_total',
    'Files that were removed because no document refers to them',
  );
  let isPrepared = false;
  async function round(stopping: AbortSignal): Promise<AfterRound> {
    if (!isPrepared) await prepareStorage(deps, () => stopping.aborted, signal);
    if (stopping.aborted) return 'end';
    isPrepared = true;
    const removed = await sweep(deps);
    removedTotal.increment(removed);
    return removed < ROUND_FILES_MAX ? undefined : 'more';
  }
  return startLoop(round, { pauseMs: SWEEP_INTERVAL_MS, signal, log: deps.log, failure: 'orphan cleanup failed' });
}
