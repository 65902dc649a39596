import type { Instant } from '@procurement/contracts/instant';
import type { Problem } from '@procurement/contracts/problems';
import type { Decision } from '@procurement/kit/decision';
import type { Outbox, OutboxRow } from '@procurement/kit/outbox';
import type { BidEvent, BiddingPhase, BidState } from '../domain/bid.ts';
import { foldBid } from '../domain/bid.evolve.ts';
import { bidEventRow } from './bid.events.ts';

/** What a decision finds under its locks; `now` was read after they were had. */
export interface Found {
  readonly phase: BiddingPhase;
  readonly bid: BidState | undefined;
  readonly now: Instant;
}

export interface BidWrite {
  readonly tenderId: string;
  /** The bid that the request names; absent when it makes one. */
  readonly bidId?: string | undefined;
  readonly requestId: string;
}

export type BidDecision = (found: Found) => Decision<BidEvent>;

export type WriteOutcome = { readonly bid: BidState } | { readonly refused: Problem };

/** What a write comes to: the answer, and what is to be stored with what it tells, when anything happened. */
export interface Written {
  readonly outcome: WriteOutcome;
  readonly change?: { readonly event: BidEvent; readonly bid: BidState };
  readonly told: readonly OutboxRow[];
}

/** Decides a write by what was found under its locks. Stores nothing. */
export function decided(outbox: Outbox, { requestId }: BidWrite, found: Found, decide: BidDecision): Written {
  const decision = decide(found);
  if ('refused' in decision) return { outcome: decision, told: [] };
  const [event] = decision.accepted;
  if (event === undefined) return { outcome: { bid: existing(found.bid) }, told: [] };
  const bid = foldBid(found.bid, event);
  const told = [bidEventRow(outbox, event, bid, { at: found.now, requestId })];
  return { outcome: { bid }, change: { event, bid }, told };
}

function existing(bid: BidState | undefined): BidState {
  if (bid === undefined) throw new Error('nothing happened to no bid');
  return bid;
}
