import type { Instant } from '@procurement/contracts/reading/instant';
import type { Problem } from '@procurement/contracts/problems/problems';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { AuditAct } from '@procurement/kit/database/audit';
import type { Outbox, OutboxRow } from '@procurement/kit/messaging/publish/outbox';
import { tenderTime } from '@procurement/domain/tender-time';
import { bidDate } from '../domain/bid-date.ts';
import { decideBidAt } from '../domain/bid.decide.ts';
import type { BidEvent, BiddingPhase, BidRequest, BidState } from '../domain/bid.ts';
import { evolveBid } from '../domain/bid.evolve.ts';
import type { AcknowledgedBid } from './bid-receipts.ts';
import { sumUsage, type UsageByBroker } from './bid-usage.ts';
import { bidEventRow } from './bid.events.ts';

/** What a decision depends on besides the request. `now` is real time; in a write it is read after the locks were obtained. */
export interface StoredBidState {
  readonly phase: BiddingPhase;
  readonly lastDate: Instant | undefined;
  readonly bid: BidState | undefined;
  readonly usage: UsageByBroker;
  readonly now: Instant;
}

/** One write of a bid: plain data, decided by the store under its locks. */
export interface BidWrite {
  readonly tender: TenderFacts;
  /** The bid that the request names; absent for a new one. */
  readonly bidId?: string | undefined;
  readonly correlationId: string;
  readonly request: BidRequest;
  /** The refusal when the request requires another state of the bid (http.md 5.4), or all of its change (rulings R40). */
  readonly precondition?: ((before: BidState, after: BidState) => Problem | undefined) | undefined;
  /** Recorded with the change (decision 0071). */
  readonly audit?: AuditAct | undefined;
}

/** `event`: what the write changes; undefined when it changes nothing. `stored`: its row, when it was stored. */
export type BidWriteResult =
  | { readonly bid: BidState; readonly event?: BidEvent | undefined; readonly stored?: AcknowledgedBid }
  | { readonly refused: Problem };

/** An accepted change to store. */
export interface BidChange {
  readonly event: BidEvent;
  readonly bid: BidState;
  /** When it was made, in the tender's time. */
  readonly at: Instant;
  /** The latest date of the tender's bids after the change, in the tender's time. */
  readonly lastDate: Instant;
}

/** A decided write: its result, and the change to store with its outbox rows, when there is one. */
export interface DecidedBidWrite {
  readonly result: BidWriteResult;
  readonly change?: BidChange;
  readonly outboxRows: readonly OutboxRow[];
}

/** Decides a write by what is stored. The only place where a write of a bid is decided. Stores nothing. */
export function decideBidWrite(
  outbox: Outbox,
  { tender, correlationId, request, precondition }: BidWrite,
  { phase, bid: storedBid, lastDate, usage: byBroker, now }: StoredBidState,
): DecidedBidWrite {
  // A bid takes the share of its owner, whoever changes it.
  const usage = sumUsage(byBroker, storedBid?.owner ?? request.meta.actor.broker);
  const decision = decideBidAt({ tender, phase, bid: storedBid, lastDate, usage }, request, now);
  if ('refused' in decision) return { result: decision, outboxRows: [] };
  const [event] = decision.accepted;
  const bid = event === undefined ? unchangedBid(storedBid) : evolveBid(storedBid, event);
  const unmet = storedBid === undefined ? undefined : precondition?.(storedBid, bid);
  if (unmet !== undefined) return { result: { refused: unmet }, outboxRows: [] };
  if (event === undefined) return { result: { bid }, outboxRows: [] };
  const outboxRows = [bidEventRow(outbox, event, bid, { at: now, correlationId })];
  const at = tenderTime(now, tender);
  const change = { event, bid, at, lastDate: bidDate(at, lastDate, tender) };
  return { result: { bid, event }, change, outboxRows };
}

function unchangedBid(bid: BidState | undefined): BidState {
  if (bid === undefined) throw new Error('the decision accepted no event and there is no bid to return');
  return bid;
}
