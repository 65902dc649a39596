import type { ServiceContext } from '@procurement/kit/service/run-service';
import { workerBeside } from '@procurement/kit/runtime/worker-pool';
import type { Config } from './config.ts';
import { makeExports } from './exports/deps.ts';
import { makeHistory } from './history/deps.ts';
import { makeOcds } from './ocds/deps.ts';
import { makeSearches } from './requests/deps.ts';
import { makeRevisionDeps } from './revisions/deps.ts';
import { makeSearch } from './search/deps.ts';
import { statisticsStore } from './statistics/statistics.store.ts';
import { makeHub } from './stream/deps.ts';
import { makeWebhooks } from './webhooks/deps.ts';

/** What one process serves requests with. */
export type Deps = ReturnType<typeof makeDeps>;

/** The composition root: each feature says in its deps.ts what it needs, and makes what is its own. */
export function makeDeps(config: Config, context: Omit<ServiceContext, 'outbox'>) {
  const { log, clock, ids, pool, bus } = context;
  const revisions = makeRevisionDeps(pool);
  return {
    config,
    log,
    clock,
    ids,
    pool,
    searches: makeSearches(),
    ...revisions,
    ...makeHistory(revisions, bus, workerBeside(import.meta.url)),
    ...makeSearch(pool),
    ...makeOcds(pool, bus),
    ...makeExports(config, pool),
    ...makeWebhooks(config, context),
    statistics: statisticsStore(pool),
    hub: makeHub(revisions, context),
  };
}
