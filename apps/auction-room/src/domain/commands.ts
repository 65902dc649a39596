import type { Instant } from '@procurement/contracts/reading/instant';
import type { AuctionPlan, Label } from './auction.ts';
import type { ReportOutcome } from './events.ts';

/** auction-room.md 3.2. */
export type Command =
  | { readonly type: 'Plan'; readonly plan: AuctionPlan }
  | { readonly type: 'Tick' }
  /** `amount` is `undefined` when the body has none, or no number. */
  | { readonly type: 'PlaceOffer'; readonly bid: string; readonly amount: number | undefined; readonly offerId: string }
  | { readonly type: 'WithdrawOffer'; readonly bid: string; readonly offerId: string }
  /** No replica of the room was working in that time. */
  | { readonly type: 'ComeBack'; readonly awayFrom: Instant; readonly awayUntil: Instant }
  | { readonly type: 'Cancel'; readonly reason: string }
  | { readonly type: 'Void' }
  | { readonly type: 'NoteLinks' }
  | { readonly type: 'BeginReport' }
  | { readonly type: 'NoteResults'; readonly outcome: ReportOutcome }
  | { readonly type: 'NoteProtocol'; readonly documentId: string; readonly version: number }
  | { readonly type: 'RevealNames'; readonly labels: Readonly<Record<string, Label>> }
  | { readonly type: 'NoteConflict'; readonly reason: string }
  | { readonly type: 'RenewLink'; readonly bid: string };

export type CommandType = Command['type'];
export type CommandOf<T extends CommandType> = Extract<Command, { readonly type: T }>;
