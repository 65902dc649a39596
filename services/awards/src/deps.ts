import { readFileSync } from 'node:fs';
import { bidReplica } from '@procurement/contracts/events/bid-replica';
import type { DocumentFacts } from '@procurement/contracts/events/document.events';
import { rpcSubjects } from '@procurement/contracts/events/subjects';
import { tenderReplica } from '@procurement/contracts/events/tender-replica';
import type { Instant } from '@procurement/contracts/reading/instant';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { NO_HOLIDAYS, readCalendar } from '@procurement/domain/calendar';
import { makeClockFailures, type ClockFailures } from '@procurement/kit/database/clock-failures';
import type { IdGenerator } from '@procurement/kit/runtime/ids';
import { makeDecisionFreeze, type DecisionFreeze } from '@procurement/kit/messaging/request/decision-freeze';
import { makeDecisionFreezer, type DecisionFreezer } from '@procurement/kit/messaging/request/decision-freezer';
import type { Clock } from '@procurement/kit/runtime/clock';
import { openReplica, type Replica } from '@procurement/kit/messaging/consume/replica';
import { remoteLevels, remoteTransfers, type TakeOverSources } from '@procurement/kit/http/take-over';
import type { ServiceContext } from '@procurement/kit/service/run-service';
import type { Config } from './config.ts';
import type { AwardSettings } from './domain/awarding.ts';
import { awardingsStore, type AwardingsStore } from './store/awardings.store.ts';
import { contractFeedStore, type ContractFeedStore } from './store/contract-feed.store.ts';
import { biddersReader, type BiddersOf } from './store/bidders-reader.ts';
import { documentReplica } from './store/document-replica.ts';
import { externalInputsStore, type ExternalInputsStore } from './store/external-inputs.store.ts';
import { awardingVersion } from './store/load-awardings.ts';
import { copiedReader, type CopiedOf } from './store/copied-reader.ts';
import { tenderReader } from './store/tender-reader.ts';

/** Dependencies of the HTTP and event handlers, created once by `makeDeps`. */
export interface Deps extends TakeOverSources {
  readonly config: Config;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly settings: AwardSettings;
  readonly tenders: Replica<TenderFacts>;
  readonly documents: Replica<DocumentFacts>;
  readonly biddersOf: BiddersOf;
  readonly copiedOf: CopiedOf;
  readonly freeze: DecisionFreeze;
  readonly signings: DecisionFreezer;
  readonly awardings: AwardingsStore;
  readonly contracts: ContractFeedStore;
  readonly externalInputs: ExternalInputsStore;
  readonly clockFailures: ClockFailures;
}

/**
 * The composition root. `wakeAt` is called with each stored deadline (real time). Throws when CALENDAR_FILE cannot be read:
 * dates would be wrong without it.
 */
export function makeDeps(config: Config, base: ServiceContext, wakeAt: (at: Instant) => void): Deps {
  const { clock, ids, pool, outbox, log, bus } = base;
  const { CALENDAR_FILE: calendar } = config;
  const guards = config.LEGACY_GUARDS ?? (config.SANDBOX_MODE ? 'open' : 'strict');
  const settings: AwardSettings = {
    sandbox: config.SANDBOX_MODE,
    complaintsMode: config.COMPLAINTS_MODE,
    legacyGuardsOpen: guards === 'open',
    serverId: config.SERVER_ID,
    calendar: calendar === undefined ? NO_HOLIDAYS : readCalendar(readFileSync(calendar, 'utf8')),
  };
  const tenders = openReplica(tenderReplica, base);
  const copiedOf = copiedReader(bus);
  const currentTenders = tenderReader(bus);
  const outcomeSubject = rpcSubjects.cancellationOutcome;
  const freeze = makeDecisionFreeze({ ...base, table: 'kit.decision_freeze', idColumn: 'id', outcomeSubject });
  const signings = makeDecisionFreezer({
    ...base,
    deciders: [rpcSubjects.freezeComplaints],
    versionOf: async (id) => awardingVersion(pool, id),
  });
  const clockFailures = makeClockFailures({ ...base, table: 'awarding', idColumn: 'tender_id' });
  return {
    transfers: remoteTransfers(base.bus),
    levelsOf: remoteLevels(base.bus),
    config,
    clock,
    ids,
    settings,
    tenders,
    documents: openReplica(documentReplica, base),
    biddersOf: biddersReader(pool, openReplica(bidReplica, base)),
    copiedOf,
    freeze,
    signings,
    awardings: awardingsStore({ pool, outbox, clock, ids, settings, freeze, signings, tenders, wakeAt }),
    contracts: contractFeedStore(pool, currentTenders),
    externalInputs: externalInputsStore({
      pool,
      outbox,
      clock,
      ids,
      log,
      failures: clockFailures,
      settings,
      tenders,
      freeze,
      currentTenders,
      copiedOf,
      wakeAt,
    }),
    clockFailures,
  };
}
