import type { Logger } from '@procurement/kit/runtime/log';
import type { ServiceContext } from '@procurement/kit/runtime/run-service';
import type { Clock } from '@procurement/kit/runtime/clock';
import type pg from 'pg';
import type { Config } from './config.ts';
import { makeFreshness, type Freshness } from './store/freshness.ts';
import { historyStore, type HistoryStore } from './store/history.store.ts';
import { lookupStore, type LookupStore } from './store/lookup.store.ts';
import { askIfPublic, type IsPublic } from './store/tender-owner.ts';

/** Dependencies of the HTTP handlers, created once by `makeDeps`. */
export interface Deps {
  readonly config: Config;
  readonly log: Logger;
  readonly clock: Clock;
  readonly pool: pg.Pool;
  readonly freshness: Freshness;
  readonly lookup: LookupStore;
  readonly history: HistoryStore;
  readonly isPublic: IsPublic;
}

/** The composition root. */
export function makeDeps(
  config: Config,
  { log, clock, pool, bus }: Pick<ServiceContext, 'log' | 'clock' | 'pool' | 'bus'>,
): Deps {
  return {
    config,
    log,
    clock,
    pool,
    freshness: makeFreshness(pool),
    lookup: lookupStore(pool),
    history: historyStore(pool),
    isPublic: askIfPublic(bus),
  };
}
