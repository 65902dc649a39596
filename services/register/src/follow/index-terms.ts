import { indexBatch, type IndexingDeps } from './index-tenders.ts';

/** The command `reindex [<id>]`: makes the terms and contributions of all tenders after an id again. Returns the exit code. */
export async function reindex(
  [after, ...rest]: readonly string[],
  deps: IndexingDeps,
  print: (line: string) => void,
): Promise<number> {
  if (rest.length > 0 || (after !== undefined && !/^[0-9a-f]{32}$/.test(after))) {
    print('usage: reindex [<id of the last tender that an earlier run printed>]');
    return 2;
  }
  let [count, last] = [0, after];
  for (;;) {
    const batch = await indexBatch(deps, last);
    count += batch.count;
    if (batch.last === undefined) break;
    last = batch.last;
    print(`${count} tenders, the last one is ${last}`);
  }
  print(`${count} tenders indexed`);
  return 0;
}
