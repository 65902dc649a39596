import type { Tender } from '@procurement/client';

type Bid = NonNullable<Tender['bids']>[number];
type Award = NonNullable<Tender['awards']>[number];

/** A bid on a tender or on one lot, with the newest decision about it. */
export interface RankedBid {
  readonly bid: Bid;
  readonly value: { readonly amount: number; readonly currency: string } | undefined;
  readonly award: Award | undefined;
}

/** Opened bids, the lowest price first; with `lot` those on this lot, by their prices for it. */
export function rankedBids({ bids = [], awards = [] }: Tender, lot?: string): readonly RankedBid[] {
  const ranked = bids.flatMap((bid): readonly RankedBid[] => {
    const lotValue = bid.lotValues?.find(({ relatedLot }) => relatedLot === lot);
    if (lot !== undefined && lotValue === undefined) return [];
    const award = awards.findLast(
      ({ bid_id: bidId, lotID }) => bidId === bid.id && (lot === undefined || lotID === lot),
    );
    return [{ bid, value: lotValue?.value ?? bid.value, award }];
  });
  return ranked.toSorted((one, other) => (one.value?.amount ?? Infinity) - (other.value?.amount ?? Infinity));
}
