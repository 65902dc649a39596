import { allowing, problem, type Problem } from '@procurement/contracts/problems/problems';
import type { PublicAward, PublicLot, PublicTender } from './auction-record.ts';
import { auctionUrlOf } from './hand-off.addresses.ts';
import { AUCTION_STATUS } from './hand-off.guards.ts';
import type { Addresses, AuctionRef } from './hand-off.ts';

/**
 * Whether the tender shows the effect of reported results (bids-awards-auction.md 2.5, 2.6): it has left the auction, or the
 * lot has its end. True for a report without a lot on a tender with lots, which has no effect.
 */
export function hasOutcome(tender: PublicTender, { lot }: AuctionRef): boolean {
  const lots = tender.lots ?? [];
  if (tender.status !== AUCTION_STATUS || (lot === undefined && lots.length > 0)) return true;
  const ownLot = findLot(tender, lot);
  return ownLot !== undefined && (ownLot.auctionPeriod?.endDate !== undefined || ownLot.status !== 'active');
}

/**
 * Whether the tender shows the published address of this auction (bids-awards-auction.md 2.3). Also true when it never will:
 * nothing was published, or the tender or lot has left the auction.
 */
export function hasAddress(tender: PublicTender, addresses: Addresses, { lot }: AuctionRef): boolean {
  const published = auctionUrlOf(addresses, { lot });
  if (published === undefined || tender.status !== AUCTION_STATUS) return true;
  const holder = lot === undefined ? tender : findLot(tender, lot);
  return holder === undefined || holder.auctionUrl === published || (lot !== undefined && holder.status !== 'active');
}

/**
 * The refusal of recorded results when a cancellation came before they took effect (architecture.md, handshake 3). Undefined
 * when the auction has its end, or can still get it.
 */
export function cancellationRefusal(tender: PublicTender, { lot }: AuctionRef): Problem | undefined {
  const ownLot = findLot(tender, lot);
  const { auctionPeriod } = ownLot ?? tender;
  if (auctionPeriod?.endDate !== undefined) return undefined;
  if (tender.status === 'cancelled') {
    return allowing(problem('auction.report-status', { status: tender.status }), { allowedStatuses: [AUCTION_STATUS] });
  }
  return ownLot?.status === 'cancelled' ? problem('auction.report-lot') : undefined;
}

/** The newest pending award (of the lot, if there is one): the `Location` of the answer to a report. */
export function newestPendingAward({ awards = [] }: PublicTender, { lot }: AuctionRef): PublicAward | undefined {
  return awards.findLast((award) => award.status === 'pending' && (lot === undefined || award.lotID === lot));
}

function findLot({ lots = [] }: PublicTender, lot: string | undefined): PublicLot | undefined {
  return lots.find(({ id }) => id === lot);
}
