import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';

/** Whether a lot is one that things can still happen to; without a lot nothing stands against it. */
export function lotIsOpen({ lots = [] }: TenderFacts, lot: string | undefined): boolean {
  return lot === undefined || lots.find((one) => one.id === lot)?.status === 'active';
}

/** What is awarded separately: each active lot in the order of the tender, or the tender as a whole. */
export function awardedLots({ lots = [] }: TenderFacts): readonly (string | undefined)[] {
  if (lots.length === 0) return [undefined];
  return lots.filter((lot) => lot.status === 'active').map((lot) => lot.id);
}

/** In these statuses awards are decided about and complained of, and contracts are made (bids-awards-auction.md 3.2, 4.3). */
export function isAwardingStatus(status: string): boolean {
  return status === 'active.qualification' || status === 'active.awarded';
}
