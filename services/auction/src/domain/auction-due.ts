import { instantOf, type Instant } from '@procurement/contracts/instant';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { liesIn, type Place } from './auction-plan.ts';

/** An auction that needs a start: of the tender, or of one lot. */
export interface DueAuction {
  readonly lotId?: string;
  readonly shouldStartAfter: Instant;
}

/** What the planner has answered before. */
export interface HeldPlan {
  readonly lotId?: string;
  readonly start: Instant;
  readonly place?: Place;
  /** The tender has taken this start; before that the answer is on its way. */
  readonly confirmed: boolean;
}

/** What a tender's news means for the plan. Plans to make anew are both in `free` and in `plan`. */
export interface Judgement {
  readonly free: readonly HeldPlan[];
  readonly confirm: readonly HeldPlan[];
  readonly plan: readonly DueAuction[];
}

/** Real tenders and test ones never compete for a place. */
export type PlanMode = 'real' | 'test';

/** Which of the two plans a tender belongs to. */
export function planModeOf({ mode }: TenderFacts): PlanMode {
  return mode === 'test' ? 'test' : 'real';
}

/** Quick auctions exist in the sandbox only, and are recognised by a part of a free text (tenders.md 7.4). */
export function isQuick({ submissionMethodDetails }: TenderFacts, sandbox: boolean): boolean {
  return sandbox && submissionMethodDetails !== undefined && submissionMethodDetails.includes('quick');
}

/**
 * Compares what a tender says with what was planned for it, for each of its auctions (tenders.md 9.3): what needs a start,
 * which places are no longer used, and which answers have arrived. Told the same twice, it wants nothing the second time.
 */
export function judge(facts: TenderFacts, held: readonly HeldPlan[], now: Instant): Judgement {
  const free: HeldPlan[] = [];
  const confirm: HeldPlan[] = [];
  const plan: DueAuction[] = [];
  const auctions = auctionsOf(facts);
  for (const auction of auctions) {
    const own = held.find(({ lotId }) => lotId === auction.lotId);
    if (planningIsDue(auction)) {
      if (own !== undefined && isOnItsWay(own, auction, now)) continue;
      if (own !== undefined) free.push(own);
      plan.push(dueAuction(auction));
    } else if (own !== undefined) {
      if (!isUsed(own, auction)) free.push(own);
      else if (!own.confirmed) confirm.push(own);
    }
  }
  const gone = held.filter(({ lotId }) => !auctions.some((auction) => auction.lotId === lotId));
  return { free: [...free, ...gone], confirm, plan };
}

interface Auction {
  readonly lotId?: string;
  readonly shouldStartAfter?: Instant;
  readonly start?: Instant;
}

interface Due extends Auction {
  readonly shouldStartAfter: Instant;
}

const NEVER_AUCTIONED: readonly string[] = ['cancelled', 'unsuccessful', 'complete'];

/** The auctions that the tender has or may still get: its lots' if it has lots, else its own. */
function auctionsOf({ status, auctionPeriod, lots = [] }: TenderFacts): readonly Auction[] {
  if (NEVER_AUCTIONED.includes(status)) return [];
  if (lots.length === 0) return [readAuction(auctionPeriod)];
  return lots
    .filter((lot) => lot.status === 'active')
    .map((lot) => ({ lotId: lot.id, ...readAuction(lot.auctionPeriod) }));
}

function readAuction(period: TenderFacts['auctionPeriod']): Auction {
  return {
    ...(period?.shouldStartAfter === undefined ? {} : { shouldStartAfter: instantOf(period.shouldStartAfter) }),
    ...(period?.startDate === undefined ? {} : { start: instantOf(period.startDate) }),
  };
}

/** bids-awards-auction.md 2.9: so a missed auction plans itself anew. */
function planningIsDue(auction: Auction): auction is Due {
  const { shouldStartAfter, start } = auction;
  return shouldStartAfter !== undefined && (start === undefined || shouldStartAfter > start);
}

function dueAuction({ lotId, shouldStartAfter }: Due): DueAuction {
  return { ...(lotId === undefined ? {} : { lotId }), shouldStartAfter };
}

/** The tender has not shown the answer yet, and it still is one: late enough, and not past before it was heard. */
function isOnItsWay(own: HeldPlan, { shouldStartAfter }: Due, now: Instant): boolean {
  return !own.confirmed && own.start >= shouldStartAfter && own.start > now;
}

/** A place is used by a start that lies in it, ours or one set by hand; a quick plan by exactly its own. */
function isUsed({ place, start }: HeldPlan, auction: Auction): boolean {
  if (auction.start === undefined) return false;
  return place === undefined ? auction.start === start : liesIn(auction.start, place);
}
