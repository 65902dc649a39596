import { tenderReplica } from '@procurement/contracts/events/tender-replica';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { Bus } from '@procurement/kit/bus';
import type { Mint } from '@procurement/kit/ids';
import { readReplica, type Replica } from '@procurement/kit/replica';
import type { ServiceBase } from '@procurement/kit/run-service';
import type { Clock } from '@procurement/kit/time';
import type { Config } from './config.ts';
import type { BidSettings } from './domain/bid.ts';
import { auctionStore, type AuctionStore } from './store/auction.store.ts';
import { bidDocumentsOwner, type BidDocumentsOwner } from './store/bid-documents.ts';
import { biddingStore, type BiddingStore } from './store/bidding.store.ts';
import { bidsStore, type BidsStore } from './store/bids.store.ts';

/** What the routes and handlers of this service work with. Plain objects, made once, in `makeDeps`. */
export interface Deps {
  readonly config: Config;
  readonly clock: Clock;
  readonly mint: Mint;
  readonly settings: BidSettings;
  readonly tenders: Replica<TenderFacts>;
  readonly bids: BidsStore;
  readonly bidding: BiddingStore;
  readonly auctions: AuctionStore;
  /** The documents service. */
  readonly documents: BidDocumentsOwner;
  readonly bus: Bus;
}

/** The composition root. */
export function makeDeps(config: Config, base: ServiceBase): Deps {
  const guards = config.LEGACY_GUARDS ?? (config.SANDBOX_MODE ? 'open' : 'strict');
  return {
    config,
    clock: base.clock,
    mint: base.mint,
    settings: { legacyGuardsOpen: guards === 'open' },
    tenders: readReplica(tenderReplica, base),
    bids: bidsStore(base),
    bidding: biddingStore(base.outbox),
    auctions: auctionStore(base.pool, base.outbox),
    documents: bidDocumentsOwner(base.bus),
    bus: base.bus,
  };
}
