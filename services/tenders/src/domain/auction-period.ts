import {
  addMicros,
  formatLocalDate,
  instantOf,
  MINUTE,
  midnightAtOrAfter,
  type Instant,
} from '@procurement/contracts/reading/instant';
import type { StoredTender } from '@procurement/contracts/resources/tender';
import { isQuickAuction } from '@procurement/domain/acceleration';
import { activeLots, lotsOf } from '@procurement/domain/lots';
import { bidCount } from './bidding.ts';
import type { TenderParts, TenderSettings } from './tender.ts';

type Period = NonNullable<StoredTender['auctionPeriod']>;

/** One auction of a tender: of the whole, or of a lot. */
export interface Auction {
  /** Absent: of a tender without lots. */
  readonly lot?: string;
  readonly period: Period;
  readonly bids: number;
}

/** The auctions that a tender may still hold (tenders.md 9.2): those without an end, in lots that are active. */
export function openAuctions({ document, bidding }: TenderParts): readonly Auction[] {
  const { status } = document;
  if (status !== 'active.tendering' && status !== 'active.auction') return [];
  const all =
    lotsOf(document).length === 0
      ? [{ period: document.auctionPeriod ?? {}, bids: bidCount(bidding) }]
      : activeLots(document).map((lot) => ({
          lot: lot.id,
          period: lot.auctionPeriod ?? {},
          bids: bidCount(bidding, lot.id),
        }));
  // Once bids are sealed, a lot with fewer than two of them is not auctioned.
  return all.filter(({ period, bids }) => period.endDate === undefined && (status === 'active.tendering' || bids >= 2));
}

/** When an auction that begins at its planned time is over and reported at the latest. */
export function expectedEnd(start: Instant, bids: number): Instant {
  return addMicros(start, (6 * bids + 9 + 15) * MINUTE);
}

/** The earliest moment at which this auction may be planned to begin (tenders.md 9.2); none while no end of tendering is known. */
export function shouldStartAfter(
  auction: Auction,
  tender: StoredTender,
  now: Instant,
  settings: TenderSettings,
): string | undefined {
  const { startDate } = auction.period;
  const missed = startDate === undefined ? undefined : expectedEnd(instantOf(startDate), auction.bids);
  const isMissed = missed !== undefined && now >= missed;
  const base = isMissed ? formatLocalDate(missed) : tender.tenderPeriod?.endDate;
  return base === undefined || isQuickAuction(tender, settings.sandbox) ? base : midnightAtOrAfter(base);
}

/** Whether this auction waits for its place in the plan: it has none, or one before it may begin (tenders.md 9.3). */
export function planningIsDue(auction: Auction, tender: StoredTender, now: Instant, settings: TenderSettings): boolean {
  const { startDate } = auction.period;
  const earliest = shouldStartAfter(auction, tender, now, settings);
  return earliest !== undefined && (startDate === undefined || instantOf(earliest) > instantOf(startDate));
}
