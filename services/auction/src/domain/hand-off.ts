import type { Actor } from '@procurement/contracts/api/actor';
import type { AuctionResults } from '@procurement/contracts/events/auction.events';
import type { Instant } from '@procurement/contracts/reading/instant';
import type { AuctionBid, AuctionInput } from '@procurement/contracts/resources/auction';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';

export interface HandOffSettings {
  readonly sandbox: boolean;
  /** Whether segments older than 2.5 are accepted in any status that is not final (rulings R3). */
  readonly legacyGuardsOpen: boolean;
  /** The record for callers without the auction role, in older segments (rulings R4). */
  readonly recordPublic: 'masked' | 'full';
}

/** A sealed bid with its offer. Requested from the bids service, never stored here. */
export interface OfferedBid extends AuctionBid {
  readonly id: string;
}

/** An auction of a tender: the only one, or that of a lot. */
export interface AuctionRef {
  readonly lot?: string | undefined;
}

/** The personal link of a bidder to the auction. */
export interface BidderLink extends AuctionRef {
  /** The id of the bid. */
  readonly id: string;
  readonly participationUrl: string;
}

/** The last published addresses of a tender. */
export interface Addresses {
  readonly auctions: readonly (AuctionRef & { readonly auctionUrl: string })[];
  readonly bids: readonly BidderLink[];
}

export interface HandOffMeta {
  /** Tender time. */
  readonly now: Instant;
  readonly actor: Actor;
  /** Whether the caller has the token of the tender. */
  readonly ownsTender: boolean;
  readonly settings: HandOffSettings;
}

/** A parsed request of a permitted caller. */
export type HandOffCommand = AuctionRef & { readonly input: AuctionInput } & (
    | { readonly kind: 'addresses' }
    /** `by`: open guards apply to PATCH only. */
    | { readonly kind: 'results'; readonly by: 'POST' | 'PATCH' }
    | { readonly kind: 'none' }
  );

export interface HandOffState {
  readonly tender: TenderFacts;
  /** The bids in order of registration. */
  readonly bids: readonly OfferedBid[];
  /** Recorded results of this auction. */
  readonly recorded: AuctionResults | undefined;
  readonly addresses: Addresses;
}

/** Results are reported once per auction; addresses can be published repeatedly. */
export type HandOffEvent =
  | (AuctionRef & {
      readonly type: 'AddressesPublished';
      readonly auctionUrl?: string;
      readonly bids: readonly BidderLink[];
    })
  | { readonly type: 'ResultsReported'; readonly results: AuctionResults; readonly at: string };
