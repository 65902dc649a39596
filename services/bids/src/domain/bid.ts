import type { Actor } from '@procurement/contracts/api/actor';
import type { BodyResult } from '@procurement/contracts/reading/body-result';
import type { Instant } from '@procurement/contracts/reading/instant';
import type { StoredBid } from '@procurement/contracts/resources/bid';
import type { DocumentInput } from '@procurement/contracts/resources/document';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { WithoutNow } from '@procurement/domain/command';

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

/**
 * How far the bidding of one tender has come, which this service alone decides (architecture.md, handshake 1). `sealed`:
 * exactly these take part. `opened`: everybody may see them. `erased`: the tender was cancelled before that.
 */
export type BiddingPhase = 'open' | 'sealed' | 'opened' | 'erased';

/** What a decision about bids may look at: each undefined when there is none. */
export interface BiddingState {
  /** The tender as this service knows it. */
  readonly tender: TenderFacts | undefined;
  readonly phase: BiddingPhase;
  /** The bid that the command names. */
  readonly bid?: BidState | undefined;
}

export interface BidSettings {
  /** Segments older than 2.5 ignore status and period (rulings R3). */
  readonly legacyGuardsOpen: boolean;
}

export interface BidMeta {
  /** In the time in which the tender lives (`tender-time.ts`). */
  readonly now: Instant;
  readonly actor: Actor;
  readonly settings: BidSettings;
}

/** Who changes an existing bid. */
export interface OwnedBidMeta extends BidMeta {
  /** The caller's name and token are those of this very bid. Compared outside, in constant time. */
  readonly owns: boolean;
}

export interface RegisterBid {
  readonly type: 'RegisterBid';
  readonly body: BodyResult;
  readonly meta: BidMeta & {
    readonly id: string;
    readonly ownerTokenHash: string;
    readonly transferHash: string;
  };
}

export interface ChangeBid {
  readonly type: 'ChangeBid';
  readonly body: BodyResult;
  readonly meta: OwnedBidMeta;
}

export interface WithdrawBid {
  readonly type: 'WithdrawBid';
  readonly meta: OwnedBidMeta;
}

export type BidCommand = RegisterBid | ChangeBid | WithdrawBid;

/** A command without its time, which the store reads under its locks. */
export type BidRequest = WithoutNow<BidCommand>;

export interface BidRegistered {
  readonly type: 'BidRegistered';
  readonly bid: BidState;
  /** Files that came with it, which the documents service keeps. */
  readonly documents: readonly DocumentInput[];
}

export interface BidChanged {
  readonly type: 'BidChanged';
  readonly document: StoredBid;
}

export interface BidWithdrawn {
  readonly type: 'BidWithdrawn';
}

export type BidEvent = BidRegistered | BidChanged | BidWithdrawn;
