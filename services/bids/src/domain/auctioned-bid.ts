import type { AuctionResults, AuctionUrls } from '@procurement/contracts/events/auction.events';
import type { AuctionedBid } from '@procurement/contracts/events/bid.events';
import type { StoredBid } from '@procurement/contracts/resources/bid';

/** What the auction gets of a bid: never who bids, nor documents (bids-awards-auction.md 2.2). */
export function auctionedView({ id, date, value, lotValues, parameters, participationUrl }: StoredBid): AuctionedBid {
  return {
    id,
    date,
    ...(value === undefined ? {} : { value }),
    ...(lotValues === undefined ? {} : { lotValues: lotValues.map((lotValue) => ({ ...lotValue })) }),
    ...(parameters === undefined ? {} : { parameters }),
    ...(participationUrl === undefined ? {} : { participationUrl }),
  };
}

/**
 * A bid as it comes out of an auction: its last amount and when it was made; currency, VAT and whatever was not reported
 * stay (bids-awards-auction.md 2.5, 2.6). Of an auction of a lot only that lot's value.
 */
export function withResults(bid: StoredBid, { lot, results }: AuctionResults): StoredBid {
  const result = results.find((one) => one.id === bid.id);
  if (result === undefined) return bid;
  if (lot === undefined) {
    if (bid.value === undefined) return bid;
    return {
      ...bid,
      date: result.date ?? bid.date,
      value: { ...bid.value, amount: result.amount ?? bid.value.amount },
    };
  }
  const lotValues = bid.lotValues?.map((lotValue) => {
    if (lotValue.relatedLot !== lot) return lotValue;
    const { value, date } = lotValue;
    return { ...lotValue, date: result.date ?? date, value: { ...value, amount: result.amount ?? value.amount } };
  });
  return { ...bid, lotValues };
}

/** A bid with the link by which its bidder takes part: the last that was published counts (bids-awards-auction.md 2.3). */
export function withLinks(bid: StoredBid, { bids }: AuctionUrls): StoredBid {
  const ownLinks = bids.filter((link) => link.id === bid.id);
  const bidLink = ownLinks.find((link) => link.lot === undefined);
  const lotValues = bid.lotValues?.map((lotValue) => {
    const link = ownLinks.find(({ lot }) => lot === lotValue.relatedLot);
    return link === undefined ? lotValue : { ...lotValue, participationUrl: link.participationUrl };
  });
  return {
    ...bid,
    ...(lotValues === undefined ? {} : { lotValues }),
    ...(bidLink === undefined || bid.lotValues !== undefined ? {} : { participationUrl: bidLink.participationUrl }),
  };
}
