import { matchedBids, matchedLotValues } from './hand-off.entries.ts';
import type { Addresses, AuctionRef, BidderLink, HandOffEvent, HandOffState, HandOffCommand } from './hand-off.ts';

/**
 * The event with the new addresses in a request (bids-awards-auction.md 2.3): only those of the lot in the path, or of a tender
 * without lots. Undefined when all were published before.
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

/** The event with the new ones among these addresses; undefined when none is new. */
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

/** The published address of an auction. */
export function auctionUrlOf({ auctions }: Addresses, { lot }: AuctionRef): string | undefined {
  return auctions.find((one) => one.lot === lot)?.auctionUrl;
}

/** The published link of a bidder. */
export function publishedLink({ bids }: Addresses, bid: string, { lot }: AuctionRef): string | undefined {
  return bids.find((one) => one.id === bid && one.lot === lot)?.participationUrl;
}
