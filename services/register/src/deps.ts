import type { Logger } from '@procurement/kit/runtime/log';
import { makeFairQueue, type FairQueue } from '@procurement/kit/runtime/fair-queue';
import { makeWorkerPool, workerBeside, type WorkerPool } from '@procurement/kit/runtime/worker-pool';
import type { ServiceContext } from '@procurement/kit/service/run-service';
import type { FileStorage } from '@procurement/kit/files/file-storage';
import { openStorage } from '@procurement/kit/files/open-storage';
import type { IdGenerator } from '@procurement/kit/runtime/ids';
import { signalSubjects } from '@procurement/contracts/events/subjects';
import { publishIfOpen } from '@procurement/kit/messaging/bus';
import { monotonicMs, type Clock } from '@procurement/kit/runtime/clock';
import type pg from 'pg';
import type { SendWebhooksDeps } from './clock/send-webhooks.ts';
import type { Config } from './config.ts';
import { isUrlAllowed, networkOf, type AddressPolicy } from './store/webhook-address.ts';
import { makeStreamHub, type StreamHub } from './http/stream-hub.ts';
import { appliedPosition, makeFreshness, type Freshness } from './store/freshness.ts';
import { makeAttemptSlots } from './store/attempt-slots.ts';
import type { PatchJob } from './domain/patches-between.ts';
import { makeKeptPatches, type KeptPatches } from './http/kept-patches.ts';
import { buyersStore, type BuyersStore } from './store/buyers.store.ts';
import { exportsStore, type ExportsStore } from './store/exports.store.ts';
import { historyStore, type HistoryStore } from './store/history.store.ts';
import { searchStore, type SearchStore } from './store/search.store.ts';
import { ocdsStore, type OcdsStore } from './store/ocds.store.ts';
import { lookupStore, type LookupStore } from './store/lookup.store.ts';
import { statisticsStore, type StatisticsStore } from './store/statistics.store.ts';
import { streamStore, type StreamStore } from './store/stream.store.ts';
import { askIfPublic, askPublicView, type AskPublic, type IsPublic } from './store/tender-owner.ts';
import { makeRevisionPages } from './store/revision-pages.ts';
import { makeSecretBox, type SecretBox } from './store/secret-box.ts';
import { webhookDeliveryStore } from './store/webhook-delivery.store.ts';
import { makeWebhookTransport, type WebhookTransport } from './store/webhook-transport.ts';
import { webhookStore, type WebhookStore } from './store/webhook.store.ts';

/** Dependencies of the HTTP handlers, created once by `makeDeps`. */
export interface Deps {
  readonly config: Config;
  readonly log: Logger;
  readonly clock: Clock;
  readonly pool: pg.Pool;
  readonly freshness: Freshness;
  readonly lookup: LookupStore;
  readonly history: HistoryStore;
  readonly search: SearchStore;
  readonly buyers: BuyersStore;
  readonly statistics: StatisticsStore;
  /** For searches and statistics. */
  readonly searches: FairQueue;
  /** Places of answers with whole tenders, megabytes that the event loop reads and writes. */
  readonly largeAnswers: FairQueue;
  readonly patches: KeptPatches;
  readonly workers: Pick<WorkerPool<PatchJob, readonly string[]>, 'stop'>;
  readonly isPublic: IsPublic;
  readonly ocds: OcdsStore;
  /** How far releases were made. */
  readonly projected: Freshness;
  readonly askPublic: AskPublic;
  readonly ids: IdGenerator;
  readonly streamStore: StreamStore;
  readonly hub: StreamHub;
  readonly webhooks: WebhookStore;
  /** Whether a webhook may lead there. */
  readonly isUrlAllowed: (url: string) => boolean;
  readonly webhookTransport: WebhookTransport;
  readonly secretBox: SecretBox;
  /** Signals to the senders of all replicas that the owner has changed a webhook. */
  readonly webhookChanged: (id: string) => void;
  readonly exports: ExportsStore;
  readonly exportFiles: FileStorage;
}

/** The composition root. */
export function makeDeps(
  config: Config,
  { log, clock, ids, metrics, pool, bus }: Omit<ServiceContext, 'outbox'>,
): Deps {
  const store = streamStore(pool);
  const ocds = ocdsStore(pool);
  const history = historyStore(pool);
  const workers = makeWorkerPool<PatchJob, readonly string[]>({
    script: workerBeside(import.meta.url),
    waitingMax: 128,
    waitingOfClientMax: 16,
    clientsRest: true,
    waitMsMax: 5_000,
  });
  const hub = makeStreamHub({ store, textsAt: history.textsAt, log, clock, nowMs: monotonicMs });
  // On each connection: the process may start before NATS, and outlive a connection.
  bus.onOpen((connection) => {
    connection.subscribe(signalSubjects.registerApplied, { callback: () => hub.wake() });
  });
  metrics.gauge('stream_readers', 'Open streams, compared with STREAMS_MAX', () => hub.readers);
  metrics.gauge('stream_expanded', 'Of them with whole tenders, compared with STREAM_EXPANDED_MAX', () => hub.expanded);
  metrics.gauge('stream_text_bytes', 'Texts of tenders in memory for these', () => hub.textBytes);
  metrics.gauge('stream_groups', 'Groups of streams with equal filters', () => hub.groups);
  const webhookPolicy = policyOf(config);
  return {
    config,
    log,
    clock,
    pool,
    freshness: makeFreshness(async () => appliedPosition(pool)),
    lookup: lookupStore(pool),
    history,
    search: searchStore(pool),
    buyers: buyersStore(pool),
    statistics: statisticsStore(pool),
    searches: makeFairQueue({ runningMax: 8, runningOfClientMax: 4, waitingMax: 32, waitMsMax: 1_000 }),
    largeAnswers: makeFairQueue({
      runningMax: 2,
      runningOfClientMax: 1,
      waitingMax: 128,
      waitingOfClientMax: 16,
      clientsRest: true,
      waitMsMax: 5_000,
    }),
    patches: makeKeptPatches({ history, workers }),
    workers,
    isPublic: askIfPublic(bus),
    ocds,
    projected: makeFreshness(async () => ocds.position()),
    askPublic: askPublicView(bus),
    ids,
    streamStore: store,
    hub,
    exports: exportsStore(pool),
    exportFiles: exportFiles(config),
    webhooks: webhookStore(pool),
    isUrlAllowed: (url) => isUrlAllowed(url, webhookPolicy),
    webhookTransport: makeWebhookTransport(webhookPolicy),
    secretBox: makeSecretBox(config.REGISTER_KEYS),
    webhookChanged: (id) => publishIfOpen(() => bus.connection.publish(signalSubjects.webhookChanged, id)),
  };
}

function policyOf({ WEBHOOK_PRIVATE, SANDBOX_MODE, WEBHOOK_DENY, WEBHOOK_PORTS_DENIED }: Config): AddressPolicy {
  return {
    isPrivateAllowed: WEBHOOK_PRIVATE ?? SANDBOX_MODE,
    denied: WEBHOOK_DENY.map(networkOf),
    portsDenied: WEBHOOK_PORTS_DENIED,
  };
}

/** Longer than a pause of the process or of its database; a webhook of a process that was killed waits for it. */
const LEASE_MS = 30_000;

/** What senders of webhooks need beside. */
export function senderDeps(deps: Deps, { bus, metrics }: Pick<ServiceContext, 'bus' | 'metrics'>): SendWebhooksDeps {
  const { pool, streamStore: store, webhookTransport: transport, config } = deps;
  return {
    ...deps,
    bus,
    metrics,
    deliveries: webhookDeliveryStore(pool),
    pages: makeRevisionPages(store, monotonicMs),
    transport,
    slots: makeAttemptSlots(),
    nowMs: monotonicMs,
    baseUrl: config.PUBLIC_BASE_URL,
    owner: deps.ids.nextUuid(),
    leaseMs: LEASE_MS,
  };
}

/** Where exports are stored. Does not connect. */
export function exportFiles({ EXPORT_STORE, S3_ACCESS_KEY, S3_SECRET_KEY, S3_REGION }: Config): FileStorage {
  return openStorage({
    setting: 'EXPORT_STORE',
    storage: EXPORT_STORE,
    s3: { accessKey: S3_ACCESS_KEY, secretKey: S3_SECRET_KEY, region: S3_REGION },
  });
}
