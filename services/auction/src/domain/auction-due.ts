import { parseInstant, type Instant } from '@procurement/contracts/reading/instant';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { isFinal } from '@procurement/domain/tender-status';
import { isWithinSlot, type Slot } from './auction-plan.ts';

/** An auction (of the tender or of one lot) that needs a planned start. */
export interface DueAuction {
  readonly lotId?: string;
  readonly shouldStartAfter: Instant;
}

/** A planned start that was published. */
export interface StoredPlan {
  readonly lotId?: string;
  readonly start: Instant;
  readonly slot?: Slot;
  /** Whether the tender has this start; until then `auction.planned` is in flight. */
  readonly confirmed: boolean;
  /** Whether it was published so long ago that the tender would have it: the event may be lost. */
  readonly isOverdue?: boolean;
}

/** Changes of the plan after a change of a tender, or after its repeated facts. A plan to replace is in `free` and `plan`. */
export interface PlanChanges {
  readonly free: readonly StoredPlan[];
  readonly confirm: readonly StoredPlan[];
  /** Published, and still needed by the tender: to be published again. */
  readonly repeat: readonly StoredPlan[];
  readonly plan: readonly DueAuction[];
}

/** Real and test tenders have separate plans. */
export type PlanMode = 'real' | 'test';

export function planModeOf({ mode }: TenderFacts): PlanMode {
  return mode === 'test' ? 'test' : 'real';
}

/**
 * Compares the auctions of a tender with their stored plans (tenders.md 9.3): which need a start, which slots are no longer
 * used, which starts the tender has taken. `now` is tender time. Idempotent once the changes are applied.
 */
export function comparePlans(facts: TenderFacts, storedPlans: readonly StoredPlan[], now: Instant): PlanChanges {
  const free: StoredPlan[] = [];
  const confirm: StoredPlan[] = [];
  const repeat: StoredPlan[] = [];
  const plan: DueAuction[] = [];
  const auctions = auctionsOf(facts);
  for (const auction of auctions) {
    const stored = storedPlans.find(({ lotId }) => lotId === auction.lotId);
    if (isPlanningDue(auction)) {
      if (stored !== undefined && isAwaitingConfirmation(stored, auction, now)) {
        if (stored.isOverdue === true) repeat.push(stored);
        continue;
      }
      if (stored !== undefined) free.push(stored);
      plan.push(dueAuction(auction));
    } else if (stored !== undefined) {
      if (!isUsed(stored, auction)) free.push(stored);
      else if (!stored.confirmed) confirm.push(stored);
    }
  }
  const obsolete = storedPlans.filter(({ lotId }) => !auctions.some((auction) => auction.lotId === lotId));
  return { free: [...free, ...obsolete], confirm, repeat, plan };
}

interface Auction {
  readonly lotId?: string;
  readonly shouldStartAfter?: Instant;
  readonly start?: Instant;
}

interface DuePlanning extends Auction {
  readonly shouldStartAfter: Instant;
}

/** Auctions of the tender: those of its active lots, or its own without lots; none after a final status. */
function auctionsOf({ status, auctionPeriod, lots = [] }: TenderFacts): readonly Auction[] {
  if (isFinal(status)) return [];
  if (lots.length === 0) return [readAuction(auctionPeriod)];
  return lots
    .filter((lot) => lot.status === 'active')
    .map((lot) => ({ lotId: lot.id, ...readAuction(lot.auctionPeriod) }));
}

function readAuction(period: TenderFacts['auctionPeriod']): Auction {
  return {
    ...(period?.shouldStartAfter === undefined ? {} : { shouldStartAfter: parseInstant(period.shouldStartAfter) }),
    ...(period?.startDate === undefined ? {} : { start: parseInstant(period.startDate) }),
  };
}

/** bids-awards-auction.md 2.9. A missed auction (its start is before `shouldStartAfter`) is planned again. */
function isPlanningDue(auction: Auction): auction is DuePlanning {
  const { shouldStartAfter, start } = auction;
  return shouldStartAfter !== undefined && (start === undefined || shouldStartAfter > start);
}

function dueAuction({ lotId, shouldStartAfter }: DuePlanning): DueAuction {
  return { ...(lotId === undefined ? {} : { lotId }), shouldStartAfter };
}

/** Whether an unconfirmed start is still valid: not before `shouldStartAfter` and not in the past. */
function isAwaitingConfirmation(stored: StoredPlan, { shouldStartAfter }: DuePlanning, now: Instant): boolean {
  return !stored.confirmed && stored.start >= shouldStartAfter && stored.start > now;
}

/** A slot is used while the start of the auction lies in it, planned or set by hand; a quick plan only by its own start. */
function isUsed({ slot, start }: StoredPlan, auction: Auction): boolean {
  if (auction.start === undefined) return false;
  return slot === undefined ? auction.start === start : isWithinSlot(auction.start, slot);
}
