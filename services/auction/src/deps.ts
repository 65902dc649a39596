import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { tenderReplica } from '@procurement/contracts/events/tender-replica';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { NO_HOLIDAYS, readCalendar } from '@procurement/contracts/working-days';
import type { Mint } from '@procurement/kit/ids';
import type { Logger } from '@procurement/kit/log';
import type { Outbox } from '@procurement/kit/outbox';
import { readReplica, type Replica } from '@procurement/kit/replica';
import type { ServiceBase } from '@procurement/kit/run-service';
import type { Clock } from '@procurement/kit/time';
import type { Config } from './config.ts';
import type { PlanSettings, RandomSeconds } from './domain/auction-plan.ts';
import type { HandOffSettings } from './domain/hand-off.ts';
import { handOffStore, type HandOffStore } from './store/hand-off.store.ts';
import { siblings, type Siblings } from './store/siblings.ts';
import { tasksStore, type TasksStore } from './store/tasks.store.ts';

/** What planning works with. */
export interface Planning {
  readonly config: Config;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly planSettings: PlanSettings;
  readonly random: RandomSeconds;
}

/** What the routes and handlers of this service work with. Plain objects, made once, in `makeDeps`. */
export interface Deps extends Planning {
  readonly log: Logger;
  readonly mint: Mint;
  readonly settings: HandOffSettings;
  readonly tenders: Replica<TenderFacts>;
  readonly handOff: HandOffStore;
  readonly tasks: TasksStore;
  readonly siblings: Siblings;
}

/** The composition root. Throws when CALENDAR_FILE names a file that cannot be read: dates would be wrong without it. */
export function makeDeps(config: Config, base: ServiceBase): Deps {
  const { log, mint, pool, bus } = base;
  const isSandbox = config.SANDBOX_MODE;
  return {
    ...makePlanning(config, base),
    log,
    mint,
    settings: {
      sandbox: isSandbox,
      legacyGuardsOpen: (config.LEGACY_GUARDS ?? (isSandbox ? 'open' : 'strict')) === 'open',
      recordPublic: config.AUCTION_RECORD_PUBLIC ?? (isSandbox ? 'full' : 'masked'),
    },
    tenders: readReplica(tenderReplica, base),
    handOff: handOffStore(base),
    tasks: tasksStore(pool),
    siblings: siblings(bus),
  };
}

/** The part of it that follows tenders. Throws as `makeDeps` does. */
export function makePlanning(config: Config, { clock, outbox }: Pick<ServiceBase, 'clock' | 'outbox'>): Planning {
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
