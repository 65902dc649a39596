import type { Auction } from './auction.ts';
import { auctionPath } from './report.ts';

type Entry = Readonly<Record<string, unknown>>;

/** The addresses to publish. Entries have ids and stand in the order of the record: services match by either (auction-room.md 7.3). */
export interface AddressRequest {
  readonly method: 'PATCH';
  readonly path: string;
  readonly body: { readonly data: Entry };
}

/** Makes the link of a bidder. */
export type LinkOf = (bid: string, generation: number) => string;

export function auctionAddress(publicUrl: string, auctionId: string): string {
  return `${publicUrl}/tenders/${auctionId}`;
}

export function addressRequest(
  auction: Auction,
  { publicUrl, linkOf }: { readonly publicUrl: string; readonly linkOf: LinkOf },
): AddressRequest {
  const { id, tenderId, lotId, lots = [], record } = auction.plan;
  const auctionUrl = auctionAddress(publicUrl, id);
  const links = new Map(auction.bids.map((bid) => [bid.id, linkOf(bid.id, bid.generation)]));
  const path = auctionPath(tenderId, lotId);
  if (lotId === undefined) {
    const bids = record.map((bid) => ({ id: bid.id, ...linkEntry(links.get(bid.id)) }));
    return { method: 'PATCH', path, body: { data: { auctionUrl, bids } } };
  }
  const bids = record.map((bid) => ({
    id: bid.id,
    lotValues: (bid.lots ?? []).map((relatedLot) => ({
      relatedLot,
      ...(relatedLot === lotId ? linkEntry(links.get(bid.id)) : {}),
    })),
  }));
  const lotEntries = lots.map((lot) => (lot === lotId ? { id: lot, auctionUrl } : { id: lot }));
  return { method: 'PATCH', path, body: { data: { lots: lotEntries, bids } } };
}

function linkEntry(participationUrl: string | undefined): Entry {
  return participationUrl === undefined ? {} : { participationUrl };
}
