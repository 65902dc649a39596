import type { AuctionResults, AuctionUrls } from '@procurement/contracts/events/auction.events';
import type { AuctionedBid } from '@procurement/contracts/events/bid.events';
import type { StoredBid } from '@procurement/contracts/resources/bid';

/** The members of a bid that the auction receives: neither tenderers nor documents (bids-awards-auction.md 2.2). */
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
 * Applies the results of an auction to a bid: the last amount and its date. Currency, VAT and members that were not reported
 * stay (bids-awards-auction.md 2.5, 2.6). The auction of a lot changes the value of that lot only.
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

/** Adds the links by which the bidder takes part; the last published link counts (bids-awards-auction.md 2.3). */
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
