import { tenderReplica } from '@procurement/contracts/events/tender-replica';
import { rpcSubjects } from '@procurement/contracts/events/subjects';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { Bus } from '@procurement/kit/messaging/bus';
import { makeDecisionFreeze, type DecisionFreeze } from '@procurement/kit/messaging/request/decision-freeze';
import type { IdGenerator } from '@procurement/kit/runtime/ids';
import { openReplica, type Replica } from '@procurement/kit/messaging/consume/replica';
import { remoteLevels, remoteTransfers, type TakeOverSources } from '@procurement/kit/http/take-over';
import type { ServiceContext } from '@procurement/kit/service/run-service';
import type { Clock } from '@procurement/kit/runtime/clock';
import type pg from 'pg';
import type { Config } from './config.ts';
import type { BidSettings } from './domain/bid.ts';
import { auctionStore, type AuctionStore } from './store/auction.store.ts';
import { documentsClient, type DocumentsClient } from './store/documents-client.ts';
import { biddingStore, type BiddingStore } from './store/bidding.store.ts';
import { makeBidBox, type BidBox } from './store/bid-box.ts';
import { bidReceipts, type BidReceipts } from './store/bid-receipts.ts';
import { bidTexts, type BidTexts } from './store/bid-texts.ts';
import { bidsStore, type BidsStore } from './store/bids.store.ts';

/** Dependencies of the routes and event handlers: plain objects, made once by `makeDeps`. */
export interface Deps extends TakeOverSources {
  readonly pool: pg.Pool;
  readonly config: Config;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly settings: BidSettings;
  readonly tenders: Replica<TenderFacts>;
  readonly freeze: DecisionFreeze;
  readonly bids: BidsStore;
  readonly bidding: BiddingStore;
  readonly auctions: AuctionStore;
  /** Client of the documents service. */
  readonly documents: DocumentsClient;
  readonly bus: Bus;
  readonly texts: BidTexts;
  /** Undefined where writes have no receipts. */
  readonly receipts: BidReceipts | undefined;
}

/** What encrypts bids, for the service and for its commands. */
export interface BidEncryption {
  /** Undefined without BIDS_KEYS. */
  readonly box: BidBox | undefined;
  readonly texts: BidTexts;
  readonly isSealing: boolean;
}

export function bidEncryption(
  { BIDS_KEYS: keys, SEAL_BIDS: isSealing }: Config,
  { log, metrics }: Pick<ServiceContext, 'log' | 'metrics'>,
): BidEncryption {
  const box = keys === undefined ? undefined : makeBidBox(keys);
  return { box, isSealing, texts: bidTexts({ box, isSealing, log, metrics }) };
}

/** The composition root. */
export function makeDeps(config: Config, base: ServiceContext): Deps {
  const tenders = openReplica(tenderReplica, base);
  const outcomeSubject = rpcSubjects.cancellationOutcome;
  const freeze = makeDecisionFreeze({ ...base, table: 'bidding', idColumn: 'tender_id', outcomeSubject });
  const { texts } = bidEncryption(config, base);
  const guards = config.LEGACY_GUARDS ?? (config.SANDBOX_MODE ? 'open' : 'strict');
  return {
    transfers: remoteTransfers(base.bus),
    levelsOf: remoteLevels(base.bus),
    pool: base.pool,
    config,
    clock: base.clock,
    ids: base.ids,
    settings: { legacyGuardsOpen: guards === 'open' },
    tenders,
    freeze,
    bids: bidsStore({ ...base, freeze, tenders, texts }),
    bidding: biddingStore({ ...base, texts }),
    auctions: auctionStore(base.pool, base.outbox, texts),
    documents: documentsClient(base.bus),
    bus: base.bus,
    texts,
    receipts:
      config.receiptSigner === undefined
        ? undefined
        : bidReceipts({ ...config.receiptSigner, texts, clock: base.clock }),
  };
}
