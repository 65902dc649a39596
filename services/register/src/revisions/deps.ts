import type pg from 'pg';
import { appliedPosition, makeFreshness, type Freshness } from './freshness.ts';
import { historyStore, type HistoryStore } from './history.store.ts';
import { streamStore, type StreamStore } from './stream.store.ts';

/** What features read of stored revisions. */
export interface RevisionDeps {
  readonly freshness: Freshness;
  readonly history: HistoryStore;
  readonly streamStore: StreamStore;
}

export function makeRevisionDeps(pool: pg.Pool): RevisionDeps {
  return {
    freshness: makeFreshness(async () => appliedPosition(pool)),
    history: historyStore(pool),
    streamStore: streamStore(pool),
  };
}
