import { rpcSubjects } from '@procurement/contracts/events/subjects';
import { makeDecisionFreeze, type DecisionFreeze } from '@procurement/kit/messaging/request/decision-freeze';
import { makeDecisionFreezer, type DecisionFreezer } from '@procurement/kit/messaging/request/decision-freezer';
import { makeClockFailures, type ClockFailures } from '@procurement/kit/database/clock-failures';
import type { Clock } from '@procurement/kit/runtime/clock';
import type { IdGenerator } from '@procurement/kit/runtime/ids';
import { remoteLevels, type BrokerLevelsOf } from '@procurement/kit/http/take-over';
import { feedStore, type FeedStore } from '@procurement/kit/feed/feed.store';
import type { ServiceContext } from '@procurement/kit/service/run-service';
import type { Instant } from '@procurement/contracts/reading/instant';
import type { Config } from './config.ts';
import type { TenderSettings } from './domain/tender.ts';
import type { FeedSecrets } from './http/feed-offsets.ts';
import { makeHandshakes, type Handshakes } from './store/handshakes.ts';
import { externalInputsStore, type ExternalInputsStore } from './store/external-inputs.store.ts';
import { readFactsVersion } from './store/load-tenders.ts';
import { tenderNumberSequence } from './store/tender-number.ts';
import { tendersStore, type TendersStore } from './store/tenders.store.ts';
import { transfersStore, type TransfersStore } from './store/transfers.store.ts';

/** The dependencies of routes and event handlers. Plain objects, made once by `makeDeps`. */
export interface Deps {
  readonly config: Config;
  readonly settings: TenderSettings;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly tenders: TendersStore;
  readonly transfers: TransfersStore;
  readonly levelsOf: BrokerLevelsOf;
  readonly cancellations: DecisionFreezer;
  readonly complaintsFreeze: DecisionFreeze;
  readonly externalInputs: ExternalInputsStore;
  readonly handshakes: Handshakes;
  readonly feed: FeedStore;
  readonly feedSecrets: FeedSecrets;
  readonly clockFailures: ClockFailures;
}

/** The composition root. `wakeAt` is called with every deadline that is stored, in real time. */
export function makeDeps(config: Config, base: ServiceContext, wakeAt: (at: Instant) => void): Deps {
  const { clock, ids, pool, outbox } = base;
  const guards = config.LEGACY_GUARDS ?? (config.SANDBOX_MODE ? 'open' : 'strict');
  const settings: TenderSettings = {
    sandbox: config.SANDBOX_MODE,
    strictTestMode: config.STRICT_TEST_MODE,
    complaintsMode: config.COMPLAINTS_MODE,
    legacyGuardsOpen: guards === 'open',
    serverId: config.SERVER_ID,
    tenderBytesMax: config.TENDER_BYTES_MAX,
  };
  const failures = makeClockFailures({ ...base, table: 'tender', idColumn: 'id' });
  const externalInputs = externalInputsStore({
    pool,
    outbox,
    clock,
    failures,
    settings,
    logsPublications: config.PUBLICATIONS,
    wakeAt,
  });
  const cancellations = makeDecisionFreezer({
    ...base,
    deciders: [
      rpcSubjects.freezeBids,
      rpcSubjects.freezeAwards,
      rpcSubjects.freezeAuction,
      rpcSubjects.freezeDocuments,
    ],
    versionOf: async (id) => readFactsVersion(pool, id, { lock: false }),
  });
  const outcomeSubject = rpcSubjects.signingOutcome;
  const complaintsFreeze = makeDecisionFreeze({
    ...base,
    table: 'kit.decision_freeze',
    idColumn: 'id',
    outcomeSubject,
  });
  return {
    config,
    settings,
    clock,
    ids,
    tenders: tendersStore({
      pool,
      outbox,
      clock,
      settings,
      logsPublications: config.PUBLICATIONS,
      cancellations,
      complaintsFreeze,
      wakeAt,
      nextTenderNumber: tenderNumberSequence(pool, config.SERVER_ID),
    }),
    transfers: transfersStore({ pool, clock }),
    levelsOf: remoteLevels(base.bus),
    cancellations,
    complaintsFreeze,
    externalInputs,
    handshakes: makeHandshakes({ ...base, externalInputs }),
    feed: feedStore(pool, { feed: 'tender_feed', view: 'tender_view', id: 'tender_id', listed: 'listed' }),
    feedSecrets: { epoch: config.FEED_EPOCH, secret: config.FEED_SECRET },
    clockFailures: failures,
  };
}
