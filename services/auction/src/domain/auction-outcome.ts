import { problem, type Problem } from '@procurement/contracts/problems/problems';
import type { PublicAward, PublicLot, PublicTender } from './auction-record.ts';
import { auctionUrlOf } from './hand-off.addresses.ts';
import { AUCTION_STATUS } from './hand-off.guards.ts';
import type { Addresses, AuctionRef } from './hand-off.ts';

/**
 * Whether the tender shows what became of the results (bids-awards-auction.md 2.5, 2.6): it has left the auction, or the lot
 * has its end. Without a lot in the path a tender with lots has nothing to show.
 */
export function hasOutcome(tender: PublicTender, { lot }: AuctionRef): boolean {
  const lots = tender.lots ?? [];
  if (tender.status !== AUCTION_STATUS || (lot === undefined && lots.length > 0)) return true;
  const ownLot = findLot(tender, lot);
  return ownLot !== undefined && (ownLot.auctionPeriod?.endDate !== undefined || ownLot.status !== 'active');
}

/**
 * Whether the tender shows where this auction can be watched (bids-awards-auction.md 2.3), or never will: nothing was
 * published, or the auction of the tender or of the lot is no longer to come.
 */
export function hasAddress(tender: PublicTender, addresses: Addresses, { lot }: AuctionRef): boolean {
  const published = auctionUrlOf(addresses, { lot });
  if (published === undefined || tender.status !== AUCTION_STATUS) return true;
  const holder = lot === undefined ? tender : findLot(tender, lot);
  return holder === undefined || holder.auctionUrl === published || (lot !== undefined && holder.status !== 'active');
}

/**
 * A cancellation that came while the results were under way has the last word (architecture.md, handshake 3): whoever reported
 * them is told so, although they were recorded. Undefined when the auction has its end, or still may get it.
 */
export function cancellationRefusal(tender: PublicTender, { lot }: AuctionRef): Problem | undefined {
  const ownLot = findLot(tender, lot);
  const { auctionPeriod } = ownLot ?? tender;
  if (auctionPeriod?.endDate !== undefined) return undefined;
  if (tender.status === 'cancelled') return problem('auction.report-status', { status: tender.status });
  return ownLot?.status === 'cancelled' ? problem('auction.report-lot') : undefined;
}

/** The newest award that waits for its decision, of the lot where there is one: where the answer to a report points. */
export function newestPendingAward({ awards = [] }: PublicTender, { lot }: AuctionRef): PublicAward | undefined {
  return awards.findLast((award) => award.status === 'pending' && (lot === undefined || award.lotID === lot));
}

function findLot({ lots = [] }: PublicTender, lot: string | undefined): PublicLot | undefined {
  return lots.find(({ id }) => id === lot);
}
