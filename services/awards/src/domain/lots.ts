import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';

/** Whether the lot is active; true when `lot` is undefined. */
export function lotIsOpen({ lots = [] }: TenderFacts, lot: string | undefined): boolean {
  return lot === undefined || lots.find((one) => one.id === lot)?.status === 'active';
}

/** Lots that get awards: the active ones in order of the tender, or `[undefined]` (the whole tender) when it has no lots. */
export function awardedLots({ lots = [] }: TenderFacts): readonly (string | undefined)[] {
  if (lots.length === 0) return [undefined];
  return lots.filter((lot) => lot.status === 'active').map((lot) => lot.id);
}

/** Tender statuses in which awards, their complaints and contracts can be changed (bids-awards-auction.md 3.2, 4.3). */
export function isAwardingStatus(status: string): boolean {
  return status === 'active.qualification' || status === 'active.awarded';
}
