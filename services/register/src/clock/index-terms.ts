import { startLoop } from '@procurement/kit/runtime/loop';
import { indexAll, indexBatch, removeOrphans, type IndexingDeps } from '../store/index-tenders.ts';

const PAUSE_MS = 60_000;

/**
 * Makes terms and facts that are missing: of tenders that a release without search or statistics has stored. Every replica may do it, beside such a
 * release too.
 */
export function startIndexing(deps: IndexingDeps): { stop(): Promise<void> } {
  async function round(): Promise<void> {
    const count = await indexAll(deps, 'stale');
    if (count > 0) deps.log.info({ count }, 'terms and facts of tenders stored');
  }
  const failure = 'terms and facts of tenders not stored';
  return startLoop(round, { pauseMs: PAUSE_MS, log: deps.log, failure, level: 'error' });
}

/** The command `reindex [<id>]`: makes the terms and facts of all tenders after an id again. Returns the exit code. */
export async function reindex(
  [after, ...rest]: readonly string[],
  deps: IndexingDeps,
  print: (line: string) => void,
): Promise<number> {
  if (rest.length > 0 || (after !== undefined && !/^[0-9a-f]{32}$/.test(after))) {
    print('usage: reindex [<id of the last tender that an earlier run printed>]');
    return 2;
  }
  await removeOrphans(deps);
  let [count, last] = [0, after];
  for (;;) {
    const batch = await indexBatch(deps, 'all', last);
    count += batch.count;
    if (batch.last === undefined) break;
    last = batch.last;
    print(`${count} tenders, the last one is ${last}`);
  }
  print(`${count} tenders indexed`);
  return 0;
}
