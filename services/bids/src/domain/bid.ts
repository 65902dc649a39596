import type { Actor } from '@procurement/contracts/api/actor';
import type { BodyResult } from '@procurement/contracts/reading/body-result';
import type { Instant } from '@procurement/contracts/reading/instant';
import type { StoredBid } from '@procurement/contracts/resources/bid';
import type { DocumentInput } from '@procurement/contracts/resources/document';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { BidderUsage } from './bid.budget.ts';
import type { WithoutNow } from '@procurement/domain/command';
import type { NewOwnership, OwnershipChange } from '@procurement/domain/ownership-change';

/** A bid that is not deleted. */
export interface BidState {
  readonly id: string;
  readonly tenderId: string;
  readonly version: number;
  readonly owner: string;
  readonly ownerTokenHash: string;
  readonly transferHash: string;
  /** That of `document`, which is known without reading it. */
  readonly status: StoredBid['status'];
  /** The bid as its owner sees it. Of a stored bid it is decrypted at the first use, which throws when that fails. */
  readonly document: StoredBid;
}

/**
 * Phase of the bidding of one tender; only this service changes it (architecture.md, handshake 1). `sealed`: the set of bids
 * that take part is final. `opened`: the bids are public. `erased`: the tender was cancelled before they were opened.
 */
export type BiddingPhase = 'open' | 'sealed' | 'opened' | 'erased';

/** The state that a decision about bids depends on. */
export interface BiddingState {
  /** This service's copy of the tender; undefined when there is no such tender. */
  readonly tender: TenderFacts | undefined;
  readonly phase: BiddingPhase;
  /** The bid that the command names, if it exists. */
  readonly bid?: BidState | undefined;
  /** The latest date that a bid of this tender was given, in the tender's time. */
  readonly lastDate?: Instant | undefined;
  /** Known under the locks only. */
  readonly usage?: BidderUsage | undefined;
}

export interface BidSettings {
  /** Segments older than 2.5 may write and read regardless of status and period (rulings R3). */
  readonly legacyGuardsOpen: boolean;
}

export interface BidMeta {
  /** Current instant in the tender's own time (packages/domain/src/tender-time.ts). */
  readonly now: Instant;
  readonly actor: Actor;
  readonly settings: BidSettings;
}

/** Circumstances of a command about an existing bid. */
export interface OwnedBidMeta extends BidMeta {
  /** Whether the caller's name and token are those of the bid. Compared by the handler, in constant time. */
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

/** Gives the bid to another broker. */
export interface ChangeBidOwner {
  readonly type: 'ChangeBidOwner';
  readonly change: OwnershipChange;
  readonly meta: BidMeta;
}

export type BidCommand = RegisterBid | ChangeBid | WithdrawBid | ChangeBidOwner;

/** A command without its time, which the store reads under its locks. */
export type BidRequest = WithoutNow<BidCommand>;

export interface BidRegistered {
  readonly type: 'BidRegistered';
  readonly bid: BidState;
  /** Documents in the body of the request, which the documents service stores. */
  readonly documents: readonly DocumentInput[];
}

export interface BidChanged {
  readonly type: 'BidChanged';
  readonly document: StoredBid;
}

export interface BidWithdrawn {
  readonly type: 'BidWithdrawn';
}

export interface BidOwnerChanged {
  readonly type: 'BidOwnerChanged';
  readonly owner: NewOwnership;
}

export type BidEvent = BidRegistered | BidChanged | BidWithdrawn | BidOwnerChanged;
