import type { Instant } from '@procurement/contracts/reading/instant';
import type { Problem } from '@procurement/contracts/problems/problems';
import type { Decision } from '@procurement/domain/decision';
import type { Outbox, OutboxRow } from '@procurement/kit/messaging/outbox';
import type { BidEvent, BiddingPhase, BidState } from '../domain/bid.ts';
import { evolveBid } from '../domain/bid.evolve.ts';
import { bidEventRow } from './bid.events.ts';

/** What a decision finds under its locks; `now` was read after they were had. */
export interface LockedBidState {
  readonly phase: BiddingPhase;
  readonly bid: BidState | undefined;
  readonly now: Instant;
}

export interface BidWriteTarget {
  readonly tenderId: string;
  /** The bid that the request names; absent when it makes one. */
  readonly bidId?: string | undefined;
  readonly requestId: string;
}

export type DecideBid = (found: LockedBidState) => Decision<BidEvent>;

export type BidWriteResult = { readonly bid: BidState } | { readonly refused: Problem };

/** What a write comes to: the answer, and what is to be stored with what it tells, when anything happened. */
export interface DecidedBidWrite {
  readonly result: BidWriteResult;
  readonly change?: { readonly event: BidEvent; readonly bid: BidState };
  readonly outboxRows: readonly OutboxRow[];
}

/** Decides a write by what was found under its locks. Stores nothing. */
export function decideBidWrite(
  outbox: Outbox,
  { requestId }: BidWriteTarget,
  locked: LockedBidState,
  decide: DecideBid,
): DecidedBidWrite {
  const decision = decide(locked);
  if ('refused' in decision) return { result: decision, outboxRows: [] };
  const [event] = decision.accepted;
  if (event === undefined) return { result: { bid: unchangedBid(locked.bid) }, outboxRows: [] };
  const bid = evolveBid(locked.bid, event);
  const outboxRows = [bidEventRow(outbox, event, bid, { at: locked.now, requestId })];
  return { result: { bid }, change: { event, bid }, outboxRows };
}

function unchangedBid(bid: BidState | undefined): BidState {
  if (bid === undefined) throw new Error('nothing happened to no bid');
  return bid;
}
