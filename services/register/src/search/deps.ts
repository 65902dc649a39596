import { makeFairQueue, type FairQueue } from '@procurement/kit/runtime/fair-queue';
import type pg from 'pg';
import type { RequestDeps } from '../requests/deps.ts';
import type { RevisionDeps } from '../revisions/deps.ts';
import { buyersStore, type BuyersStore } from './buyers.store.ts';
import { lookupStore, type LookupStore } from './lookup.store.ts';
import { searchStore, type SearchStore } from './search.store.ts';

/** What searches and lookups need. */
export interface SearchDeps extends RequestDeps, Pick<RevisionDeps, 'freshness'> {
  readonly lookup: LookupStore;
  readonly search: SearchStore;
  readonly buyers: BuyersStore;
  /** Places of answers with whole tenders, megabytes that the event loop reads and writes. */
  readonly largeAnswers: FairQueue;
}

export function makeSearch(pool: pg.Pool): Omit<SearchDeps, keyof RequestDeps | 'freshness'> {
  return {
    lookup: lookupStore(pool),
    search: searchStore(pool),
    buyers: buyersStore(pool),
    largeAnswers: makeFairQueue({
      runningMax: 2,
      runningOfClientMax: 1,
      waitingMax: 128,
      clientsRest: true,
      waitMsMax: 5_000,
    }),
  };
}
