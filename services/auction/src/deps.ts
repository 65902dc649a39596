import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rpcSubjects } from '@procurement/contracts/events/subjects';
import { tenderReplica } from '@procurement/contracts/events/tender-replica';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { NO_HOLIDAYS, readCalendar } from '@procurement/domain/calendar';
import type { IdGenerator } from '@procurement/kit/runtime/ids';
import type { Logger } from '@procurement/kit/runtime/log';
import type { Outbox } from '@procurement/kit/messaging/publish/outbox';
import { makeDecisionFreeze, type DecisionFreeze } from '@procurement/kit/messaging/request/decision-freeze';
import { openReplica, type Replica } from '@procurement/kit/messaging/consume/replica';
import type { ServiceContext } from '@procurement/kit/service/run-service';
import type { Clock } from '@procurement/kit/runtime/clock';
import type { Config } from './config.ts';
import type { PlanSettings, RandomSeconds } from './domain/auction-plan.ts';
import type { HandOffSettings } from './domain/hand-off.ts';
import { handOffStore, type HandOffStore } from './store/hand-off.store.ts';
import { otherServices, type OtherServices } from './store/other-services.ts';
import { tasksStore, type TasksStore } from './store/tasks.store.ts';

/** Dependencies of planning. */
export interface PlanningDeps {
  readonly config: Config;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly planSettings: PlanSettings;
  readonly randomSeconds: RandomSeconds;
}

/** Dependencies of the HTTP and event handlers, created once by `makeDeps`. */
export interface Deps extends PlanningDeps {
  readonly log: Logger;
  readonly ids: IdGenerator;
  readonly settings: HandOffSettings;
  readonly tenders: Replica<TenderFacts>;
  readonly freeze: DecisionFreeze;
  readonly handOff: HandOffStore;
  readonly tasks: TasksStore;
  readonly otherServices: OtherServices;
}

/** The composition root. Throws when CALENDAR_FILE cannot be read: dates would be wrong without it. */
export function makeDeps(config: Config, base: ServiceContext): Deps {
  const { log, ids, pool, bus } = base;
  const tenders = openReplica(tenderReplica, base);
  const outcomeSubject = rpcSubjects.cancellationOutcome;
  const freeze = makeDecisionFreeze({ ...base, table: 'kit.decision_freeze', idColumn: 'id', outcomeSubject });
  const isSandbox = config.SANDBOX_MODE;
  return {
    ...makePlanningDeps(config, base),
    log,
    ids,
    settings: {
      sandbox: isSandbox,
      legacyGuardsOpen: (config.LEGACY_GUARDS ?? (isSandbox ? 'open' : 'strict')) === 'open',
      recordPublic: config.AUCTION_RECORD_PUBLIC ?? (isSandbox ? 'full' : 'masked'),
    },
    tenders,
    freeze,
    handOff: handOffStore({ ...base, freeze, tenders }),
    tasks: tasksStore(pool),
    otherServices: otherServices(bus),
  };
}

/** The dependencies of the tender subscription. Throws like `makeDeps`. */
export function makePlanningDeps(
  config: Config,
  { clock, outbox }: Pick<ServiceContext, 'clock' | 'outbox'>,
): PlanningDeps {
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
    randomSeconds: (max) => randomInt(max + 1),
  };
}
