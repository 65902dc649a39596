import type { Logger } from '@procurement/kit/runtime/log';
import type { ServiceContext } from '@procurement/kit/runtime/run-service';
import type { IdGenerator } from '@procurement/kit/runtime/ids';
import { signalSubjects } from '@procurement/contracts/events/subjects';
import { monotonicMs, type Clock } from '@procurement/kit/runtime/clock';
import type pg from 'pg';
import type { Config } from './config.ts';
import { makeSearchSlots, type SearchSlots } from './http/search-slots.ts';
import { makeStreamHub, type StreamHub } from './http/stream-hub.ts';
import { appliedPosition, makeFreshness, type Freshness } from './store/freshness.ts';
import { historyStore, type HistoryStore } from './store/history.store.ts';
import { searchStore, type SearchStore } from './store/search.store.ts';
import { ocdsStore, type OcdsStore } from './store/ocds.store.ts';
import { lookupStore, type LookupStore } from './store/lookup.store.ts';
import { streamStore, type StreamStore } from './store/stream.store.ts';
import { askIfPublic, askPublicView, type AskPublic, type IsPublic } from './store/tender-owner.ts';

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
  readonly searchSlots: SearchSlots;
  readonly isPublic: IsPublic;
  readonly ocds: OcdsStore;
  /** How far releases were made. */
  readonly projected: Freshness;
  readonly askPublic: AskPublic;
  readonly ids: IdGenerator;
  readonly streamStore: StreamStore;
  readonly hub: StreamHub;
}

/** The composition root. */
export function makeDeps(
  config: Config,
  { log, clock, ids, metrics, pool, bus }: Omit<ServiceContext, 'outbox'>,
): Deps {
  const store = streamStore(pool);
  const ocds = ocdsStore(pool);
  const hub = makeStreamHub({ store, log, clock, nowMs: monotonicMs });
  // On each connection: the process may start before NATS, and outlive a connection.
  bus.onOpen((connection) => {
    connection.subscribe(signalSubjects.registerApplied, { callback: () => hub.wake() });
  });
  metrics.gauge('stream_readers', 'Open streams, compared with STREAMS_MAX', () => hub.readers);
  metrics.gauge('stream_groups', 'Groups of streams with equal filters', () => hub.groups);
  return {
    config,
    log,
    clock,
    pool,
    freshness: makeFreshness(async () => appliedPosition(pool)),
    lookup: lookupStore(pool),
    history: historyStore(pool),
    search: searchStore(pool),
    searchSlots: makeSearchSlots(),
    isPublic: askIfPublic(bus),
    ocds,
    projected: makeFreshness(async () => ocds.position()),
    askPublic: askPublicView(bus),
    ids,
    streamStore: store,
    hub,
  };
}
