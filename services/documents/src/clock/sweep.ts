import { makeBell } from '@procurement/kit/bell';
import type { Logger } from '@procurement/kit/log';
import type { Metrics } from '@procurement/kit/metrics';
import { keyOf, type FileStore } from '../files/file-store.ts';
import type { FilesStore, OrphanAges } from '../store/files.store.ts';

/**
 * Hours that a file lives without a document. What came by the API and became none is nobody's, and goes after a day; what was
 * brought to the document service may still be registered (http.md 2.9: 30 days, and 7 for a promise alone).
 */
export const ORPHAN_AGES: OrphanAges = { ofApi: 24, ofService: 30 * 24, ofPromises: 7 * 24 };

/** Files of one round: the clean-up never stands in the way of others. */
const ROUND_MAX = 100;
const PAUSE_MS = 10 * 60 * 1_000;

export interface SweepDeps {
  readonly files: FilesStore;
  readonly store: FileStore;
  readonly log: Logger;
}

/**
 * Removes files that no document refers to, at most a hundred, and what uploads that never ended have left. Marked first,
 * removed then, forgotten last: an end at any moment is made good by the next round, and a file that was just registered for a
 * document is not among them. Any number of replicas may do it at once. Gives how many it removed.
 */
export async function sweep({ files, store, log }: SweepDeps, ages = ORPHAN_AGES): Promise<number> {
  await store.tidy();
  const dropped = await files.drop(ROUND_MAX, ages);
  let removed = 0;
  for (const id of dropped) {
    try {
      await store.remove(keyOf(id));
      await files.forget(id);
      removed += 1;
    } catch (error) {
      log.warn({ err: error, fileId: id }, 'orphan not removed');
    }
  }
  return removed;
}

/** Sweeps every ten minutes, and at once again while there is more. */
export function startSweeping(deps: SweepDeps & { readonly metrics: Metrics }): { stop(): Promise<void> } {
  const bell = makeBell();
  const swept = deps.metrics.counter(
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
      swept.increase(removed);
      if (removed < ROUND_MAX && !stopped) await bell.wait(PAUSE_MS);
    }
  }
  const running = run();
  return {
    async stop() {
      stopped = true;
      bell.ring();
      await running;
    },
  };
}
