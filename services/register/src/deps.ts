import type { Logger } from '@procurement/kit/runtime/log';
import type { ServiceContext } from '@procurement/kit/runtime/run-service';
import type { Clock } from '@procurement/kit/runtime/clock';
import type pg from 'pg';
import type { Config } from './config.ts';
import { makeFreshness, type Freshness } from './store/freshness.ts';
import { lookupStore, type LookupStore } from './store/lookup.store.ts';

/** Dependencies of the HTTP handlers, created once by `makeDeps`. */
export interface Deps {
  readonly config: Config;
  readonly log: Logger;
  readonly clock: Clock;
  readonly pool: pg.Pool;
  readonly freshness: Freshness;
  readonly lookup: LookupStore;
}

/** The composition root. */
export function makeDeps(config: Config, { log, clock, pool }: Pick<ServiceContext, 'log' | 'clock' | 'pool'>): Deps {
  return { config, log, clock, pool, freshness: makeFreshness(pool), lookup: lookupStore(pool) };
}
