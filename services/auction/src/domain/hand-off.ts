import type { Actor } from '@procurement/contracts/api/actor';
import type { AuctionResults } from '@procurement/contracts/events/auction.events';
import type { Instant } from '@procurement/contracts/reading/instant';
import type { AuctionBid, AuctionInput } from '@procurement/contracts/resources/auction';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';

/** What of the rules a deployment may choose. */
export interface HandOffSettings {
  readonly sandbox: boolean;
  /** Segments older than 2.5 work in any status that is not final (rulings R3). */
  readonly legacyGuardsOpen: boolean;
  /** What callers without the auction role see of the record by older segments (rulings R4). */
  readonly recordPublic: 'masked' | 'full';
}

/** A bid of the sealed set, with what it offers. Asked for, never kept. */
export interface OfferedBid extends AuctionBid {
  readonly id: string;
}

/** Which auction of a tender: the only one, or that of a lot. */
export interface AuctionRef {
  readonly lot?: string | undefined;
}

/** The link by which a bidder takes part. */
export interface BidderLink extends AuctionRef {
  /** Of the bid. */
  readonly id: string;
  readonly participationUrl: string;
}

/** Addresses that were published of a tender, the last of each. */
export interface Addresses {
  readonly auctions: readonly (AuctionRef & { readonly auctionUrl: string })[];
  readonly bids: readonly BidderLink[];
}

/** Who asks, when, and under which rules. */
export interface HandOffMeta {
  /** In the time that the tender lives in. */
  readonly now: Instant;
  readonly actor: Actor;
  /** The caller's token is the tender's. */
  readonly ownsTender: boolean;
  readonly settings: HandOffSettings;
}

/** What a request wants, once it is read and its sender may want it. */
export type HandOffCommand = AuctionRef & { readonly input: AuctionInput } & (
    | { readonly kind: 'addresses' }
    /** `by` tells the two forms apart: only POST knows no open guards. */
    | { readonly kind: 'results'; readonly by: 'POST' | 'PATCH' }
    | { readonly kind: 'nothing' }
  );

/** What a decision looks at. */
export interface HandOffState {
  readonly tender: TenderFacts;
  /** In the order of registration. */
  readonly bids: readonly OfferedBid[];
  /** Results of this auction that were recorded before. */
  readonly recorded: AuctionResults | undefined;
  readonly addresses: Addresses;
}

/** What can come of a wish. An auction has its results once; addresses may be published again and again. */
export type HandOffEvent =
  | (AuctionRef & {
      readonly type: 'AddressesPublished';
      readonly auctionUrl?: string;
      readonly bids: readonly BidderLink[];
    })
  | { readonly type: 'ResultsReported'; readonly results: AuctionResults; readonly at: string };
