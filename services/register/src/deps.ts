import type { Logger } from '@procurement/kit/runtime/log';
import type { ServiceContext } from '@procurement/kit/runtime/run-service';
import type { Clock } from '@procurement/kit/runtime/clock';
import type pg from 'pg';
import type { Config } from './config.ts';

/** Dependencies of the HTTP handlers, created once by `makeDeps`. */
export interface Deps {
  readonly config: Config;
  readonly log: Logger;
  readonly clock: Clock;
  readonly pool: pg.Pool;
}

/** The composition root. */
export function makeDeps(config: Config, { log, clock, pool }: ServiceContext): Deps {
  return { config, log, clock, pool };
}
