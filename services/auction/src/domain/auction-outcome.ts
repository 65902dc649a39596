import { problem, type Problem } from '@procurement/contracts/problems';
import type { ShownAward, ShownLot, ShownTender } from './auction-record.ts';
import { auctionUrlOf } from './hand-off.addresses.ts';
import { PROPER } from './hand-off.guards.ts';
import type { Addresses, AuctionOf } from './hand-off.ts';

/**
 * Whether the tender shows what became of the results (bids-awards-auction.md 2.5, 2.6): it has left the auction, or the lot
 * has its end. Without a lot in the path a tender with lots has nothing to show.
 */
export function showsOutcome(tender: ShownTender, { lot }: AuctionOf): boolean {
  const lots = tender.lots ?? [];
  if (tender.status !== PROPER || (lot === undefined && lots.length > 0)) return true;
  const own = lotOf(tender, lot);
  return own !== undefined && (own.auctionPeriod?.endDate !== undefined || own.status !== 'active');
}

/**
 * Whether the tender shows where this auction can be watched (bids-awards-auction.md 2.3), or never will: nothing was
 * published, or the auction of the tender or of the lot is no longer to come.
 */
export function showsAddress(tender: ShownTender, addresses: Addresses, { lot }: AuctionOf): boolean {
  const published = auctionUrlOf(addresses, { lot });
  if (published === undefined || tender.status !== PROPER) return true;
  const own = lot === undefined ? tender : lotOf(tender, lot);
  return own === undefined || own.auctionUrl === published || (lot !== undefined && own.status !== 'active');
}

/**
 * A cancellation that came while the results were under way has the last word (architecture.md, handshake 3): whoever reported
 * them is told so, although they were recorded. Undefined when the auction has its end, or still may get it.
 */
export function cancelledMeanwhile(tender: ShownTender, { lot }: AuctionOf): Problem | undefined {
  const own = lotOf(tender, lot);
  const { auctionPeriod } = own ?? tender;
  if (auctionPeriod?.endDate !== undefined) return undefined;
  if (tender.status === 'cancelled') return problem('auction.report-status', { status: tender.status });
  return own?.status === 'cancelled' ? problem('auction.report-lot') : undefined;
}

/** The newest award that waits for its decision, of the lot where there is one: where the answer to a report points. */
export function newestPendingAward({ awards = [] }: ShownTender, { lot }: AuctionOf): ShownAward | undefined {
  return awards.findLast((award) => award.status === 'pending' && (lot === undefined || award.lotID === lot));
}

function lotOf({ lots = [] }: ShownTender, lot: string | undefined): ShownLot | undefined {
  return lots.find(({ id }) => id === lot);
}
