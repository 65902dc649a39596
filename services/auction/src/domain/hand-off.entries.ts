import type { Description, ErrorEntry } from '@procurement/contracts/problems/problems';
import type { AuctionBidInput, AuctionInput, AuctionLotValueInput } from '@procurement/contracts/resources/auction';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { OfferedBid } from './hand-off.ts';

type OfferedLotValue = NonNullable<OfferedBid['lotValues']>[number];

/** A sent entry and the object that it matches: by id, else by position (bids-awards-auction.md 2.3). */
export interface Matched<Own, Sent> {
  readonly own: Own;
  readonly sent: Sent;
}

export type MatchedBid = Matched<OfferedBid, AuctionBidInput>;
export type MatchedLotValue = Matched<OfferedLotValue, AuctionLotValueInput>;

/** The entries of `bids` that match a bid, in order of the bids. Without `bids` every bid has an empty entry. */
export function matchedBids(bids: readonly OfferedBid[], { bids: sent }: AuctionInput): readonly MatchedBid[] {
  if (sent === undefined) return bids.map((own) => ({ own, sent: {} }));
  return matched(bids, sent, (bid, { id }) => (id === undefined ? undefined : bid.id === id));
}

/** `matchedBids` for the lots of one bid. */
export function matchedLotValues({ own, sent }: MatchedBid): readonly MatchedLotValue[] {
  const lotValues = own.lotValues ?? [];
  if (sent.lotValues === undefined) return lotValues.map((lotValue) => ({ own: lotValue, sent: {} }));
  return matched(lotValues, sent.lotValues, (lotValue, { relatedLot }) =>
    relatedLot === undefined ? undefined : lotValue.relatedLot === relatedLot,
  );
}

/** Pairs in order of `items`. `hasSameId` is undefined for an entry without an id, which matches by position. */
function matched<Own, Sent>(
  items: readonly Own[],
  entries: readonly Sent[],
  hasSameId: (own: Own, sent: Sent) => boolean | undefined,
): readonly Matched<Own, Sent>[] {
  return items.flatMap((own, at) =>
    entries.filter((sent, position) => hasSameId(own, sent) ?? at === position).map((sent) => ({ own, sent })),
  );
}

/**
 * Errors when the sent lists do not match those of the tender (bids-awards-auction.md 2.4): lengths, then ids, then the lots of
 * each bid. The first failing rule of each member. Empty when every object has exactly one entry.
 */
export function entryFaults(
  tender: TenderFacts,
  bids: readonly OfferedBid[],
  input: AuctionInput,
): readonly ErrorEntry[] {
  const faults = { bids: bidsFault(bids, input), lots: lotsFault(tender, input) };
  return Object.entries(faults).flatMap(([name, description]) =>
    description === undefined ? [] : [{ location: 'body', name, description }],
  );
}

const OTHER_BIDS = 'Auction bids should be identical to the tender bids';

/**
 * The error when an entry has the id of a bid that the tender does not have, or when two entries have one id. For requests in
 * which the number of entries need not be that of the bids (bids-awards-auction.md 0.4).
 */
export function unknownBidFaults(
  bids: readonly OfferedBid[],
  { bids: sent = [] }: AuctionInput,
): readonly ErrorEntry[] {
  const sentIds = sent.flatMap(({ id }) => id ?? []);
  const known = new Set(bids.map(({ id }) => id));
  const areKnown = new Set(sentIds).size === sentIds.length && sentIds.every((id) => known.has(id));
  return areKnown ? [] : [{ location: 'body', name: 'bids', description: OTHER_BIDS }];
}

function bidsFault(bids: readonly OfferedBid[], input: AuctionInput): Description | undefined {
  if (input.bids === undefined) return undefined;
  if (input.bids.length !== bids.length) return 'Number of auction results did not match the number of tender bids';
  const pairs = matchedBids(bids, input);
  if (!covers(pairs, bids)) return OTHER_BIDS;
  const inside = pairs.flatMap((pair): Description[] => lotValuesFault(pair) ?? []);
  return inside.length === 0 ? undefined : inside;
}

function lotValuesFault(pair: MatchedBid): [Description] | undefined {
  const { lotValues: sent } = pair.sent;
  if (sent === undefined) return undefined;
  const own = pair.own.lotValues ?? [];
  if (sent.length !== own.length) {
    return [{ lotValues: ['Number of lots of auction results did not match the number of tender lots'] }];
  }
  if (covers(matchedLotValues(pair), own)) return undefined;
  return [{ lotValues: [{ relatedLot: ['relatedLot should be one of lots of bid'] }] }];
}

function lotsFault({ lots = [] }: TenderFacts, input: AuctionInput): Description | undefined {
  if (input.lots === undefined) return undefined;
  if (input.lots.length !== lots.length) return 'Number of lots did not match the number of tender lots';
  const pairs = matched(lots, input.lots, (lot, { id }) => (id === undefined ? undefined : lot.id === id));
  return covers(pairs, lots) ? undefined : 'Auction lots should be identical to the tender lots';
}

/** Whether every item has exactly one entry. An entry without an id can match an item that another entry names. */
function covers<Own>(pairs: readonly Matched<Own, unknown>[], items: readonly Own[]): boolean {
  return pairs.length === items.length && new Set(pairs.map(({ own }) => own)).size === items.length;
}
