import type { Instant } from '@procurement/contracts/reading/instant';
import type { AuctionPlan, Label } from './auction.ts';
import type { OperatorNote, ReportOutcome } from './events.ts';

interface OfOffer {
  readonly bid: string;
  readonly offerId: string;
  /** Of the link by which the bidder entered: a renewed link ends its sessions. Absent: not by a link. */
  readonly generation?: number;
}

/** auction-room.md 3.2. */
export type Command =
  | { readonly type: 'Plan'; readonly plan: AuctionPlan }
  | { readonly type: 'Tick' }
  /** `amount` is `undefined` when the body has none, or no number. */
  | (OfOffer & { readonly type: 'PlaceOffer'; readonly amount: number | undefined })
  | (OfOffer & { readonly type: 'WithdrawOffer' })
  /** No replica of the room was working in that time. */
  | { readonly type: 'ComeBack'; readonly awayFrom: Instant; readonly awayUntil: Instant }
  | { readonly type: 'Cancel'; readonly reason: string }
  /** `by` is absent when the tender took its start away. */
  | { readonly type: 'Void'; readonly by?: OperatorNote }
  | { readonly type: 'NoteLinks' }
  | { readonly type: 'BeginReport' }
  | { readonly type: 'NoteResults'; readonly outcome: ReportOutcome }
  | { readonly type: 'NoteProtocol'; readonly documentId: string; readonly version: number }
  | { readonly type: 'RevealNames'; readonly labels: Readonly<Record<string, Label>> }
  | { readonly type: 'NoteConflict'; readonly reason: string }
  | { readonly type: 'RenewLink'; readonly bid: string; readonly by?: OperatorNote }
  /** Requests to the tender service that failed are sent now. */
  | { readonly type: 'TryAgain'; readonly by: OperatorNote };

export type CommandType = Command['type'];
export type CommandOf<T extends CommandType> = Extract<Command, { readonly type: T }>;
