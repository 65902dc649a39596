import { readerName, rpcSubjects, signalSubjects, streams, wakeSubject } from './subjects.ts';

type StreamName = keyof typeof streams;

/** What a service does on the bus. NATS refuses everything else (decision 0068). */
export interface BusAccess {
  /** The stream that it writes. Absent: it publishes no events. */
  readonly owns?: StreamName;
  /** Its durable consumers, by the stream that they read. */
  readonly consumes: Partial<Readonly<Record<StreamName, readonly string[]>>>;
  /** Subjects of requests that it sends, beside those to the owners of streams that it reads. */
  readonly requests: readonly string[];
  /** Reads its own stream without a durable: each replica gets each event. */
  readonly followsOwnStream?: true;
  /** Signals of core NATS that it publishes, and those that it reads: they wake readers, and may be lost. */
  readonly signals?: readonly string[];
  readonly readsSignals?: readonly string[];
}

/** Requests of a service whose objects change their owner; tenders has the transfers itself. */
const OWNERSHIP_REQUESTS = [rpcSubjects.brokerLevels, rpcSubjects.transfer, rpcSubjects.claimTransfer] as const;

/**
 * All services on the bus. A service may also ask the owner of a stream that it reads for what the events carry (`OWNER_VERBS`), and
 * answers every request that names it or its stream: `ask.<service>.>`.
 */
export const busAccess = {
  gateway: { owns: 'brokers', consumes: {}, requests: [], followsOwnStream: true },
  tenders: {
    owns: 'tenders',
    signals: [signalSubjects.tendersPublished],
    consumes: {
      bids: [
        'tenders--bid-set-sealed',
        'tenders--bid-set-erased',
        'tenders--bid-opened',
        'tenders--bid-results-applied',
      ],
      awards: ['tenders--awards'],
      documents: ['tenders--documents'],
      auction: ['tenders--auction-planned', 'tenders--auction-urls-published'],
    },
    requests: [
      rpcSubjects.freezeBids,
      rpcSubjects.freezeAwards,
      rpcSubjects.freezeAuction,
      rpcSubjects.freezeDocuments,
      rpcSubjects.runDueAwards,
      rpcSubjects.runDueAuction,
      rpcSubjects.signingOutcome,
      rpcSubjects.brokerLevels,
    ],
  },
  bids: {
    owns: 'bids',
    consumes: {
      tenders: ['bids--tenders', 'bids--tendering-ended', 'bids--tender-cancelled', 'bids--qualification-due'],
      auction: ['bids--auction-finished', 'bids--auction-urls-published'],
    },
    requests: [
      rpcSubjects.bidDocuments,
      rpcSubjects.attachDocuments,
      rpcSubjects.previewDocuments,
      rpcSubjects.auctionResults,
      rpcSubjects.auctionUrls,
      rpcSubjects.openBidDocuments,
      rpcSubjects.cancellationOutcome,
      ...OWNERSHIP_REQUESTS,
    ],
  },
  awards: {
    owns: 'awards',
    consumes: {
      tenders: ['awards--tenders'],
      bids: ['awards--bids', 'awards--bid-opened'],
      documents: ['awards--documents'],
    },
    requests: [
      rpcSubjects.tenderView,
      rpcSubjects.freezeComplaints,
      rpcSubjects.cancellationOutcome,
      ...OWNERSHIP_REQUESTS,
    ],
  },
  documents: {
    owns: 'documents',
    consumes: {
      tenders: ['documents--tenders'],
      bids: ['documents--bids', 'documents--bids-opened'],
      awards: ['documents--awards'],
    },
    requests: [rpcSubjects.cancellationOutcome, rpcSubjects.contractPlace],
  },
  auction: {
    owns: 'auction',
    consumes: { tenders: ['auction--tenders'] },
    requests: [rpcSubjects.tenderView, rpcSubjects.sealedBids, rpcSubjects.bidLinks, rpcSubjects.cancellationOutcome],
  },
  register: {
    consumes: {},
    requests: [
      rpcSubjects.tenderPublications,
      rpcSubjects.tenderListing,
      rpcSubjects.tenderCensus,
      rpcSubjects.tenderLoss,
      rpcSubjects.tenderView,
      rpcSubjects.brokerLevels,
    ],
    signals: [signalSubjects.registerApplied, signalSubjects.registerRedacted, signalSubjects.webhookChanged],
    // Events of brokers wake the check of their webhooks; what it finds is asked for.
    readsSignals: [
      signalSubjects.tendersPublished,
      signalSubjects.registerApplied,
      signalSubjects.webhookChanged,
      ...streams.brokers.subjects,
    ],
  },
  ledger: {
    consumes: {},
    requests: [rpcSubjects.tenderPublications, rpcSubjects.tenderListing, rpcSubjects.registerRedactions],
    readsSignals: [signalSubjects.tendersPublished, signalSubjects.registerRedacted],
  },
} as const satisfies Readonly<Record<string, BusAccess>>;

/** Last words of requests that every reader of an owner's stream may send: they return what its events say, or whether it lost them. */
const OWNER_VERBS = ['facts', 'fact-pages', 'event-data', 'loss'] as const;

/** Subjects that a user of NATS may publish and subscribe to. */
export interface BusPermissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/** The permissions of a service's user. Replies to requests are allowed by the server's `allow_responses`, for `RESPONSE_MS_MAX`. */
export function busPermissions(service: keyof typeof busAccess): BusPermissions {
  const access: BusAccess = busAccess[service];
  const consumed = Object.entries(access.consumes);
  const requests = [...access.requests, ...ownerRequests(Object.keys(access.consumes))];
  const owned = access.owns === undefined ? [] : [access.owns];
  return {
    publish: [
      ...owned.flatMap((stream) => streams[stream].subjects),
      ...owned.flatMap((stream) => ['CREATE', 'UPDATE', 'DELETE'].map((verb) => `$JS.API.STREAM.${verb}.${stream}`)),
      ...[...owned, ...Object.keys(access.consumes)].flatMap(readingStream),
      ...consumed.flatMap(([stream, durables]) =>
        durables.flatMap((durable) => [durable, readerName(durable)]).flatMap((name) => consuming(stream, name)),
      ),
      // Consumers acknowledge to the writer that waits; its subject is in the event.
      ...(consumed.length === 0 ? [] : ['_settle.>']),
      ...owned.map(() => wakeSubject(service)),
      ...(access.signals ?? []),
      ...new Set(requests),
    ],
    subscribe: [
      `_INBOX.${service}.>`,
      ...owned.flatMap(() => [`_settle.${service}.>`, wakeSubject(service)]),
      ...responding(service, owned),
      ...(access.readsSignals ?? []),
      ...(access.followsOwnStream === true ? owned.flatMap((stream) => streams[stream].subjects) : []),
    ],
  };
}

/** Requests name the service or its stream. */
function responding(service: string, owned: readonly string[]): readonly string[] {
  return [...new Set([service, ...owned].map((name) => `ask.${name}.>`))];
}

function ownerRequests(readStreams: readonly string[]): readonly string[] {
  return readStreams.flatMap((owner) => OWNER_VERBS.map((verb) => `ask.${owner}.${verb}`));
}

function readingStream(stream: string): readonly string[] {
  return [
    `$JS.API.STREAM.INFO.${stream}`,
    `$JS.API.STREAM.MSG.GET.${stream}`,
    `$JS.API.DIRECT.GET.${stream}`,
    `$JS.API.DIRECT.GET.${stream}.>`,
  ];
}

/** These subjects have no wildcards before the durable: they would match requests about other durables. */
function consuming(stream: string, durable: string): readonly string[] {
  return [
    `$JS.API.CONSUMER.CREATE.${stream}.${durable}`,
    `$JS.API.CONSUMER.CREATE.${stream}.${durable}.>`,
    `$JS.API.CONSUMER.DURABLE.CREATE.${stream}.${durable}`,
    `$JS.API.CONSUMER.INFO.${stream}.${durable}`,
    `$JS.API.CONSUMER.DELETE.${stream}.${durable}`,
    `$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`,
    `$JS.ACK.${stream}.${durable}.>`,
  ];
}
