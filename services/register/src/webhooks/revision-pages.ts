import { readAtMostEvery } from '@procurement/kit/runtime/read-at-most-every';
import type { StreamedRevision } from '../revisions/domain/change-notice.ts';
import type { StreamStore } from '../revisions/stream.store.ts';

/** Revisions for the senders of one process: those that stand at one position share a read. */
export interface RevisionPages {
  /** No revision at or before it comes any more; undefined while a back-fill runs. */
  head(): Promise<bigint | undefined>;
  page(after: bigint, upTo: bigint): Promise<readonly StreamedRevision[]>;
  /** Undefined: a restore has voided it. */
  one(position: bigint): Promise<StreamedRevision | undefined>;
}

export const PAGE_ROWS = 500;
const PAGES_KEPT = 8;
const HEAD_MS = 20;

export function makeRevisionPages(store: StreamStore, nowMs: () => number): RevisionPages {
  const pages = new Map<string, Promise<readonly StreamedRevision[]>>();
  return {
    head: readAtMostEvery(HEAD_MS, async () => (await store.head())?.position, nowMs),
    async page(after, upTo) {
      const key = `${after} ${upTo}`;
      const known = pages.get(key);
      if (known !== undefined) return known;
      const read = store.revisions(after, upTo, PAGE_ROWS);
      pages.set(key, read);
      const [oldest] = pages.keys();
      if (pages.size > PAGES_KEPT && oldest !== undefined) pages.delete(oldest);
      // A failed read is not kept.
      read.catch(() => pages.delete(key));
      return read;
    },
    one: async (position) => (await store.revisions(position - 1n, position, 1))[0],
  };
}
