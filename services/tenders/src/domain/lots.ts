import type { SealedBid } from '@procurement/contracts/events/bid.events';
import type { StoredLot, StoredTender } from '@procurement/contracts/resources/tender';
import type { Bidding } from './tender.ts';

/** The lots of a tender; none is an empty list. */
export function lotsOf(tender: Pick<StoredTender, 'lots'>): readonly StoredLot[] {
  return tender.lots ?? [];
}

export function activeLots(tender: Pick<StoredTender, 'lots'>): readonly StoredLot[] {
  return lotsOf(tender).filter((lot) => lot.status === 'active');
}

/** The bids that take part, as far as they are known: none before the closing. */
export function sealedBids(bidding: Bidding): readonly SealedBid[] {
  return 'bids' in bidding ? bidding.bids : [];
}

/** Bids that compete in an auction: of the tender, or of one lot. */
export function bidCount(bidding: Bidding, lot?: string): number {
  const bids = sealedBids(bidding);
  return lot === undefined ? bids.length : bids.filter((bid) => bid.lots.includes(lot)).length;
}

/** Whether a lot, or the lot of an item, is one that things can still happen to; without a lot nothing stands against it. */
export function lotIsOpen(tender: StoredTender, lot: string | undefined): boolean {
  return lot === undefined || lotsOf(tender).find((one) => one.id === lot)?.status === 'active';
}
