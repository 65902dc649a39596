import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { NO_HOLIDAYS, readCalendar } from '@procurement/contracts/working-days';
import type { Outbox } from '@procurement/kit/outbox';
import type { ServiceBase } from '@procurement/kit/run-service';
import type { Clock } from '@procurement/kit/time';
import type { Config } from './config.ts';
import type { PlanSettings, RandomSeconds } from './domain/auction-plan.ts';

/** What the handlers of this service work with. Plain objects, made once, in `makeDeps`. */
export interface Deps {
  readonly config: Config;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly planSettings: PlanSettings;
  readonly random: RandomSeconds;
}

/** The composition root. Throws when CALENDAR_FILE names a file that cannot be read: dates would be wrong without it. */
export function makeDeps(config: Config, { clock, outbox }: Pick<ServiceBase, 'clock' | 'outbox'>): Deps {
  const { CALENDAR_FILE: file } = config;
  return {
    config,
    clock,
    outbox,
    planSettings: {
      dayStartMinute: config.AUCTION_DAY_START,
      dayEndMinute: config.AUCTION_DAY_END,
      streams: config.AUCTION_STREAMS,
      randomSecondsMax: config.AUCTION_RANDOM_SECONDS,
      quickSeconds: config.AUCTION_QUICK_SECONDS,
      calendar: file === undefined ? NO_HOLIDAYS : readCalendar(readFileSync(file, 'utf8')),
    },
    random: (max) => randomInt(max + 1),
  };
}
