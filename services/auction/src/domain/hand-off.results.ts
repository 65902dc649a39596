import type { AuctionResult, AuctionResults } from '@procurement/contracts/events/auction.events';
import { parseInstant } from '@procurement/contracts/reading/instant';
import type { AuctionInput } from '@procurement/contracts/resources/auction';
import { matchedBids, matchedLotValues, type MatchedBid } from './hand-off.entries.ts';
import type { AuctionRef, OfferedBid } from './hand-off.ts';

/**
 * The reported results in order of the sealed bids, with their ids, whether entries are matched by id, by position, or are
 * missing. Amount and date that were not sent are absent: the bid keeps its own.
 */
export function buildResults(
  tenderId: string,
  { lot }: AuctionRef,
  bids: readonly OfferedBid[],
  input: AuctionInput,
): AuctionResults {
  const pairs = new Map(matchedBids(bids, input).map((pair) => [pair.own.id, pair]));
  const results = bids.flatMap((bid) => buildBidResults(pairs.get(bid.id) ?? { own: bid, sent: {} }, lot));
  return { id: tenderId, ...(lot === undefined ? {} : { lot }), results };
}

function buildBidResults(pair: MatchedBid, lot: string | undefined): readonly AuctionResult[] {
  const { id } = pair.own;
  if (lot === undefined) return [result(id, pair.sent)];
  return matchedLotValues(pair)
    .filter(({ own }) => own.relatedLot === lot)
    .map(({ sent }) => result(id, sent));
}

interface Reported {
  readonly value?: { readonly amount?: number | undefined } | undefined;
  readonly date?: string | undefined;
}

function result(id: string, { value, date }: Reported): AuctionResult {
  return {
    id,
    ...(value?.amount === undefined ? {} : { amount: value.amount }),
    ...(date === undefined ? {} : { date }),
  };
}

/**
 * The same text for equal results: bids in order of ids, amounts as numbers, dates as instants. Distinguishes a repeat from
 * other results (bids-awards-auction.md 2.5).
 */
export function canonicalText({ results }: AuctionResults): string {
  const entries = results.map(({ id, amount, date }): readonly [string, number | null, number | null] => [
    id,
    amount ?? null,
    date === undefined ? null : parseInstant(date),
  ]);
  return JSON.stringify(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
