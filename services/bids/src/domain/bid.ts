import type { Actor } from '@procurement/contracts/actor';
import type { BodyReading } from '@procurement/contracts/body-reading';
import type { Instant } from '@procurement/contracts/instant';
import type { StoredBid } from '@procurement/contracts/resources/bid';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';

/** A bid as this service stores it. `document` is what its owner sees. */
export interface BidState {
  readonly id: string;
  readonly tenderId: string;
  readonly version: number;
  readonly owner: string;
  readonly ownerTokenHash: string;
  readonly transferHash: string;
  readonly document: StoredBid;
}

/** What a decision about bids may look at: the tender as this service knows it, undefined when there is none. */
export interface BiddingState {
  readonly tender: TenderFacts | undefined;
}

export interface BidSettings {
  /** Segments older than 2.5 ignore status and period (rulings R3). */
  readonly legacyGuardsOpen: boolean;
}

export interface BidMeta {
  readonly now: Instant;
  readonly actor: Actor;
  readonly settings: BidSettings;
}

export interface RegisterBid {
  readonly type: 'RegisterBid';
  readonly body: BodyReading;
  readonly meta: BidMeta & {
    readonly id: string;
    readonly ownerTokenHash: string;
    readonly transferHash: string;
  };
}

export type BidCommand = RegisterBid;

export interface BidRegistered {
  readonly type: 'BidRegistered';
  readonly bid: BidState;
}

export type BidEvent = BidRegistered;
