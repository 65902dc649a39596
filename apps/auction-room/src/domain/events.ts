import type { Instant } from '@procurement/contracts/reading/instant';
import type { AuctionPlan, Label } from './auction.ts';

interface At {
  /** The boundary itself for what the timetable brings, the moment of the command otherwise. */
  readonly at: Instant;
}

/** Why an operator acted (auction-room.md 13.3). */
export interface OperatorNote {
  readonly operator: string;
  readonly reason: string;
}

/** Commands that operators give. */
export type OperatorAction = 'Void' | 'RenewLink' | 'TryAgain';

/** One row of the log. No event holds a secret. */
export type AuctionEvent =
  | (At & { readonly type: 'AuctionPlanned'; readonly plan: AuctionPlan })
  | (At & { readonly type: 'AuctionReplanned'; readonly plan: AuctionPlan })
  /** `order`: of the round that follows a pause, worst first. */
  | (At & { readonly type: 'StageStarted'; readonly stage: number; readonly order?: readonly string[] })
  | (At & {
      readonly type: 'OfferPlaced';
      readonly stage: number;
      readonly bid: string;
      readonly amount: number;
      readonly offerId: string;
    })
  | (At & { readonly type: 'OfferWithdrawn'; readonly stage: number; readonly bid: string; readonly offerId: string })
  /** `offered`: what stood at the end of the turn; absent when nothing did. */
  | (At & {
      readonly type: 'TurnClosed';
      readonly stage: number;
      readonly bid: string;
      readonly offered?: { readonly amount: number; readonly at: Instant };
    })
  /** `order`: of the results, worst first. */
  | (At & { readonly type: 'ResultsFixed'; readonly order: readonly string[] })
  | (At & { readonly type: 'AuctionAnnounced' })
  | (At & {
      readonly type: 'TimetableShifted';
      readonly from: Instant;
      readonly until: Instant;
      readonly seconds: number;
    })
  | (At & { readonly type: 'AuctionMissed'; readonly reason: MissedReason })
  | (At & { readonly type: 'AuctionCancelled'; readonly reason: string })
  | (At & { readonly type: 'LinksNoted' })
  | (At & { readonly type: 'ReportBegun' })
  | (At & { readonly type: 'ResultsNoted'; readonly outcome: ReportOutcome })
  | (At & { readonly type: 'ProtocolNoted'; readonly documentId: string; readonly version: number })
  | (At & { readonly type: 'NamesRevealed'; readonly labels: Readonly<Record<string, Label>> })
  | (At & { readonly type: 'ConflictNoted'; readonly reason: string })
  | (At & { readonly type: 'LinkRenewed'; readonly bid: string; readonly generation: number })
  /** `entry`: number of the session among those of the bid. */
  | (At & { readonly type: 'BidderEntered'; readonly bid: string; readonly entry: number })
  /** Stands before what the action brought. */
  | (At & OperatorNote & { readonly type: 'OperatorActed'; readonly action: OperatorAction });

export type EventType = AuctionEvent['type'];
export type EventOf<T extends EventType> = Extract<AuctionEvent, { readonly type: T }>;

/** `late`: not begun within 120 s of its start; `outage`: the room was away too long; `operator`: voided by hand. */
export type MissedReason = 'late' | 'outage' | 'operator';
export type ReportOutcome = 'accepted' | 'refused';

/**
 * Whether an event changes what everybody sees. Only these move the public number: otherwise it would show that an offer was
 * posted in the open turn.
 */
export const IS_PUBLIC: Readonly<Record<EventType, boolean>> = {
  AuctionPlanned: true,
  AuctionReplanned: true,
  StageStarted: true,
  OfferPlaced: false,
  OfferWithdrawn: false,
  TurnClosed: true,
  ResultsFixed: true,
  AuctionAnnounced: true,
  TimetableShifted: true,
  AuctionMissed: true,
  AuctionCancelled: true,
  LinksNoted: false,
  ReportBegun: false,
  ResultsNoted: false,
  ProtocolNoted: false,
  NamesRevealed: true,
  ConflictNoted: true,
  LinkRenewed: false,
  BidderEntered: false,
  OperatorActed: false,
};
