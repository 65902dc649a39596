import type { Auction, PriceLine } from './auction.ts';

/** One entry of the report. A bid that takes no part in this auction is named by its id alone. */
interface ReportedBid {
  readonly id: string;
  readonly date?: string;
  readonly value?: { readonly amount: number };
  readonly lotValues?: readonly {
    readonly relatedLot: string;
    readonly date?: string;
    readonly value?: { readonly amount: number };
  }[];
}

export interface ResultsReport {
  readonly method: 'POST';
  /** Path below the segment of the API. */
  readonly path: string;
  readonly body: { readonly data: { readonly bids: readonly ReportedBid[] } };
}

/**
 * The request that reports the results: all bids in the order of the record, each with its id, so that a service that matches by
 * id and one that matches by position store the same (auction-room.md 7.4).
 */
export function resultsReport(auction: Auction): ResultsReport {
  const { tenderId, lotId, record } = auction.plan;
  const results = new Map(auction.results.map((line) => [line.bid, line]));
  const bids = record.map(({ id, lots }): ReportedBid => {
    const result = results.get(id);
    if (lotId === undefined) return { id, ...outcome(result) };
    const lotValues = (lots ?? []).map((relatedLot) => ({
      relatedLot,
      ...(relatedLot === lotId ? outcome(result) : {}),
    }));
    return { id, lotValues };
  });
  return { method: 'POST', path: auctionPath(tenderId, lotId), body: { data: { bids } } };
}

/** Path of the auction of a tender or lot. */
export function auctionPath(tenderId: string, lotId: string | undefined): string {
  return lotId === undefined ? `/tenders/${tenderId}/auction` : `/tenders/${tenderId}/auction/${lotId}`;
}

function outcome(line: PriceLine | undefined): Pick<ReportedBid, 'date' | 'value'> {
  return line === undefined ? {} : { date: line.timeText, value: { amount: line.amount } };
}
