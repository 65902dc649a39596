import type { Instant } from '@procurement/contracts/reading/instant';
import type { AuctionPlan, Label } from './auction.ts';
import type { OperatorNote, ReportOutcome } from './events.ts';

/** Who sends a command, and how the bidder came in. */
export interface Entrant {
  readonly bid: string;
  /** Generation of the link by which the bidder entered: a renewed link ends its sessions. Absent when it did not enter by a link. */
  readonly generation?: number;
  /** Number of the session: a newer one may have ended it. Absent when there is no session. */
  readonly entry?: number;
}

interface OfOffer extends Entrant {
  readonly offerId: string;
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
  /** A bidder opens its link. */
  | { readonly type: 'Enter'; readonly bid: string; readonly generation: number }
  /** Requests to the tender service that failed are sent now. */
  | { readonly type: 'TryAgain'; readonly by: OperatorNote };

export type CommandType = Command['type'];
export type CommandOf<T extends CommandType> = Extract<Command, { readonly type: T }>;
