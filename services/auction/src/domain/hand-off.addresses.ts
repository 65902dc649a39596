import { matchedBids, matchedLotValues } from './hand-off.entries.ts';
import type { Addresses, AuctionRef, BidderLink, HandOffEvent, HandOffState, HandOffCommand } from './hand-off.ts';

/**
 * The addresses in a request that are not known yet (bids-awards-auction.md 2.3): of the lot in the path only, or of a tender
 * without lots. Undefined when all of it was published before.
 */
export function newAddresses(
  { tender, bids, addresses }: HandOffState,
  command: HandOffCommand,
): HandOffEvent | undefined {
  const { lot, input } = command;
  const auctionUrl =
    lot === undefined
      ? input.auctionUrl
      : input.lots?.find((sent, at) => (sent.id ?? tender.lots?.[at]?.id) === lot)?.auctionUrl;
  const links = matchedBids(bids, input).flatMap((pair): BidderLink[] => {
    if (lot === undefined) return linkFrom(pair.own.id, {}, pair.sent.participationUrl);
    const ofLot = matchedLotValues(pair).filter(({ own }) => own.relatedLot === lot);
    return ofLot.flatMap(({ sent }) => linkFrom(pair.own.id, { lot }, sent.participationUrl));
  });
  return addressesPublished(addresses, { lot }, auctionUrl, links);
}

function linkFrom(id: string, of: AuctionRef, participationUrl: string | undefined): BidderLink[] {
  return participationUrl === undefined ? [] : [{ id, ...of, participationUrl }];
}

/** What of these addresses is new. Undefined when nothing is. */
export function addressesPublished(
  publishedBefore: Addresses,
  { lot }: AuctionRef,
  auctionUrl: string | undefined,
  links: readonly BidderLink[],
): HandOffEvent | undefined {
  const isNewUrl = auctionUrl !== undefined && auctionUrlOf(publishedBefore, { lot }) !== auctionUrl;
  const bids = links.filter((link) => publishedLink(publishedBefore, link.id, { lot }) !== link.participationUrl);
  if (!isNewUrl && bids.length === 0) return undefined;
  return {
    type: 'AddressesPublished',
    ...(lot === undefined ? {} : { lot }),
    ...(isNewUrl ? { auctionUrl } : {}),
    bids,
  };
}

/** Where an auction can be watched, if that was published. */
export function auctionUrlOf({ auctions }: Addresses, { lot }: AuctionRef): string | undefined {
  return auctions.find((one) => one.lot === lot)?.auctionUrl;
}

/** The link of a bidder, if it was published. */
export function publishedLink({ bids }: Addresses, bid: string, { lot }: AuctionRef): string | undefined {
  return bids.find((one) => one.id === bid && one.lot === lot)?.participationUrl;
}
