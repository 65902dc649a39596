import { instantOf, type Instant } from '@procurement/contracts/reading/instant';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { isWithinSlot, type Slot } from './auction-plan.ts';

/** An auction that needs a start: of the tender, or of one lot. */
export interface DueAuction {
  readonly lotId?: string;
  readonly shouldStartAfter: Instant;
}

/** What the planner has answered before. */
export interface StoredPlan {
  readonly lotId?: string;
  readonly start: Instant;
  readonly slot?: Slot;
  /** The tender has taken this start; before that the answer is on its way. */
  readonly confirmed: boolean;
}

/** What a tender's news means for the plan. Plans to make anew are both in `free` and in `plan`. */
export interface PlanChanges {
  readonly free: readonly StoredPlan[];
  readonly confirm: readonly StoredPlan[];
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
export function comparePlans(facts: TenderFacts, storedPlans: readonly StoredPlan[], now: Instant): PlanChanges {
  const free: StoredPlan[] = [];
  const confirm: StoredPlan[] = [];
  const plan: DueAuction[] = [];
  const auctions = auctionsOf(facts);
  for (const auction of auctions) {
    const stored = storedPlans.find(({ lotId }) => lotId === auction.lotId);
    if (isPlanningDue(auction)) {
      if (stored !== undefined && isAwaitingConfirmation(stored, auction, now)) continue;
      if (stored !== undefined) free.push(stored);
      plan.push(dueAuction(auction));
    } else if (stored !== undefined) {
      if (!isUsed(stored, auction)) free.push(stored);
      else if (!stored.confirmed) confirm.push(stored);
    }
  }
  const gone = storedPlans.filter(({ lotId }) => !auctions.some((auction) => auction.lotId === lotId));
  return { free: [...free, ...gone], confirm, plan };
}

interface Auction {
  readonly lotId?: string;
  readonly shouldStartAfter?: Instant;
  readonly start?: Instant;
}

interface DuePlanning extends Auction {
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
function isPlanningDue(auction: Auction): auction is DuePlanning {
  const { shouldStartAfter, start } = auction;
  return shouldStartAfter !== undefined && (start === undefined || shouldStartAfter > start);
}

function dueAuction({ lotId, shouldStartAfter }: DuePlanning): DueAuction {
  return { ...(lotId === undefined ? {} : { lotId }), shouldStartAfter };
}

/** The tender has not shown the answer yet, and it still is one: late enough, and not past before it was heard. */
function isAwaitingConfirmation(stored: StoredPlan, { shouldStartAfter }: DuePlanning, now: Instant): boolean {
  return !stored.confirmed && stored.start >= shouldStartAfter && stored.start > now;
}

/** A place is used by a start that lies in it, ours or one set by hand; a quick plan by exactly its own. */
function isUsed({ slot, start }: StoredPlan, auction: Auction): boolean {
  if (auction.start === undefined) return false;
  return slot === undefined ? auction.start === start : isWithinSlot(auction.start, slot);
}
