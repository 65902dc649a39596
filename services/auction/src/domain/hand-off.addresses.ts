import { matchedBids, matchedLotValues } from './hand-off.entries.ts';
import type { Addresses, AuctionOf, BidderLink, HandOffEvent, HandOffState, Wish } from './hand-off.ts';

/**
 * The addresses in a request that are not known yet (bids-awards-auction.md 2.3): of the lot in the path only, or of a tender
 * without lots. Undefined when all of it was published before.
 */
export function newAddresses({ tender, bids, addresses }: HandOffState, wish: Wish): HandOffEvent | undefined {
  const { lot, input } = wish;
  const auctionUrl =
    lot === undefined
      ? input.auctionUrl
      : input.lots?.find((sent, at) => (sent.id ?? tender.lots?.[at]?.id) === lot)?.auctionUrl;
  const links = matchedBids(bids, input).flatMap((pair): BidderLink[] => {
    if (lot === undefined) return linkOf(pair.own.id, {}, pair.sent.participationUrl);
    const ofLot = matchedLotValues(pair).filter(({ own }) => own.relatedLot === lot);
    return ofLot.flatMap(({ sent }) => linkOf(pair.own.id, { lot }, sent.participationUrl));
  });
  return published(addresses, { lot }, auctionUrl, links);
}

function linkOf(id: string, of: AuctionOf, participationUrl: string | undefined): BidderLink[] {
  return participationUrl === undefined ? [] : [{ id, ...of, participationUrl }];
}

/** What of these addresses is new. Undefined when nothing is. */
export function published(
  known: Addresses,
  { lot }: AuctionOf,
  auctionUrl: string | undefined,
  links: readonly BidderLink[],
): HandOffEvent | undefined {
  const isNewUrl = auctionUrl !== undefined && auctionUrlOf(known, { lot }) !== auctionUrl;
  const bids = links.filter((link) => linkIn(known, link.id, { lot }) !== link.participationUrl);
  if (!isNewUrl && bids.length === 0) return undefined;
  return {
    type: 'AddressesPublished',
    ...(lot === undefined ? {} : { lot }),
    ...(isNewUrl ? { auctionUrl } : {}),
    bids,
  };
}

/** Where an auction can be watched, if that was published. */
export function auctionUrlOf({ auctions }: Addresses, { lot }: AuctionOf): string | undefined {
  return auctions.find((one) => one.lot === lot)?.auctionUrl;
}

/** The link of a bidder, if it was published. */
export function linkIn({ bids }: Addresses, bid: string, { lot }: AuctionOf): string | undefined {
  return bids.find((one) => one.id === bid && one.lot === lot)?.participationUrl;
}
