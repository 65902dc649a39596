import type { JsonObject } from '@procurement/contracts/reading/json-object';
import type { Instant } from '@procurement/contracts/reading/instant';
import type { RankedFeature, RankedParameter } from '@procurement/domain/ranking';

/** auction-room.md 3.3. */
export type Phase = 'planned' | 'running' | 'finished' | 'announced' | 'cancelled' | 'missed';

/** Lengths of the stages in microseconds. */
export interface StageLengths {
  /** Length of stage 0. */
  readonly opening: number;
  readonly turn: number;
  /** Length of the pauses before rounds 2 and 3. */
  readonly pause: number;
  readonly preAnnouncement: number;
}

/** What the auction takes from the tender and never changes. */
export interface AuctionTender {
  /** Number for people, such as UA-2017-02-06-000001. */
  readonly tenderID: string;
  /** A tender with `mode: test`. */
  readonly test: boolean;
  /** The features that count for this tender or lot. */
  readonly features: readonly RankedFeature[];
  /** Amount in the currency of the bids. */
  readonly minimalStep: number;
  /** What the page shows besides: titles, descriptions, procuringEntity, items, lot, value, minimalStep. */
  readonly shown: JsonObject;
}

/** A bid that takes part, as the tender service recorded it. */
export interface OpeningBid {
  readonly id: string;
  readonly amount: number;
  /** The date of the bid as the record has it. */
  readonly date: string;
  readonly parameters: readonly RankedParameter[];
}

/** A bid of the record, whether it takes part or not. Addresses and results name all of them. */
export interface RecordedBid {
  readonly id: string;
  /** Lots of its lotValues, in their order; absent in a tender without lots. */
  readonly lots?: readonly string[];
}

/** What is known of an auction before it begins. */
export interface AuctionPlan {
  readonly id: string;
  readonly tenderId: string;
  readonly lotId?: string;
  /** All lots of the tender, in their order. Only when the auction is of one lot. */
  readonly lots?: readonly string[];
  readonly tender: AuctionTender;
  /** Bids that take part, in the order of the tender; at least two. */
  readonly bids: readonly OpeningBid[];
  /** All bids of the record, in its order. */
  readonly record: readonly RecordedBid[];
  readonly startAt: Instant;
  readonly lengths: StageLengths;
  /** `quick(mode:no-auction)`: nobody can take part, and no addresses are published. */
  readonly withoutAddresses?: true;
}

/** A bidder's present price. */
export interface BidState {
  readonly id: string;
  readonly amount: number;
  /** When the amount was offered; decides ties. */
  readonly time: Instant;
  /** `time` as it is shown: the text of the record, or the room's own. */
  readonly timeText: string;
  /** Only in auctions with features. */
  readonly coeficient?: string;
  readonly amountFeatures?: string;
  /** Generation of the participation link; a renewed link has the next one. */
  readonly generation: number;
  /** How often the link was opened. Its last sessions are open. */
  readonly entries: number;
}

/** A line of the opening bids and of the results. */
export interface PriceLine {
  readonly bid: string;
  readonly amount: number;
  readonly time: Instant;
  readonly timeText: string;
  readonly amountFeatures?: string;
  readonly coeficient?: string;
}

/** A turn that ended. */
export interface ClosedTurn extends PriceLine {
  readonly stage: number;
  /** The boundary at which it ended. */
  readonly closedAt: Instant;
  /** Whether an offer was accepted and stood at the end. */
  readonly changed: boolean;
}

/** An offer of the open turn. Nobody but its bidder may see it. */
export interface PostedOffer {
  readonly amount: number;
  readonly at: Instant;
  readonly offerId: string;
}

/** What became of the offer with this id. */
export interface OfferOutcome {
  readonly offerId: string;
  readonly stage: number;
  /** `null`: a withdrawal. */
  readonly amount: number | null;
  readonly at: Instant;
}

export interface Shift {
  readonly from: Instant;
  readonly until: Instant;
  readonly seconds: number;
}

export interface Label {
  readonly uk: string;
  readonly en: string;
  readonly ru: string;
}

/** The fold of the log of one auction. Plain JSON: a state that was stored and read back decides alike. */
export interface Auction {
  readonly plan: AuctionPlan;
  /** Number of events in the log. */
  readonly seq: number;
  /** Number of events that changed what everybody sees. */
  readonly publicSeq: number;
  readonly phase: Phase;
  /** -1 before the start, then 0 .. 3N+4. Keeps its value when the auction is cancelled or missed. */
  readonly currentStage: number;
  /** Begin of each stage, all shifts included. */
  readonly starts: readonly Instant[];
  readonly shifts: readonly Shift[];
  readonly bids: readonly BidState[];
  /** Number of each bidder in labels; empty before the start. */
  readonly numbers: Readonly<Record<string, number>>;
  /** The order of each round that was fixed: ids, worst first. */
  readonly orders: readonly (readonly string[])[];
  readonly initialBids: readonly PriceLine[];
  readonly posted?: PostedOffer;
  readonly turns: readonly ClosedTurn[];
  /** Worst first; empty until they are fixed. */
  readonly results: readonly PriceLine[];
  readonly offers: Readonly<Record<string, readonly OfferOutcome[]>>;
  readonly linksPublished: boolean;
  readonly reportBegun: boolean;
  readonly resultsAcceptedAt?: Instant;
  readonly conflict: boolean;
  readonly names: Readonly<Record<string, Label>>;
  readonly protocol?: { readonly documentId: string; readonly version: number };
}
