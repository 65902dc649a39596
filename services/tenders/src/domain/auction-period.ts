import {
  addMicros,
  formatLocalDate,
  parseInstant,
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

/** One auction: of the tender, or of one lot. */
export interface Auction {
  /** Absent in a tender without lots. */
  readonly lot?: string;
  readonly period: Period;
  readonly bids: number;
}

/**
 * Whether the tender has an auction (rulings R44). The service sets `submissionMethod` of every tender that has one, and nobody can change
 * it.
 */
export function hasAuction({ submissionMethod }: Pick<StoredTender, 'submissionMethod'>): boolean {
  return submissionMethod !== undefined;
}

/** The auctions that are not over, in active lots only (tenders.md 9.2). */
export function openAuctions({ document, bidding }: TenderParts): readonly Auction[] {
  const { status } = document;
  if (!hasAuction(document)) return [];
  if (status !== 'active.tendering' && status !== 'active.auction') return [];
  const all =
    lotsOf(document).length === 0
      ? [{ period: document.auctionPeriod ?? {}, bids: bidCount(bidding) }]
      : activeLots(document).map((lot) => ({
          lot: lot.id,
          period: lot.auctionPeriod ?? {},
          bids: bidCount(bidding, lot.id),
        }));
  // Once bids are sealed, a lot with fewer than two bids has no auction.
  return all.filter(({ period, bids }) => period.endDate === undefined && (status === 'active.tendering' || bids >= 2));
}

/** The latest end of an auction that begins at `start`, with the report of its results: 24 minutes and 6 for each bid. */
export function expectedEnd(start: Instant, bids: number): Instant {
  return addMicros(start, (6 * bids + 9 + 15) * MINUTE);
}

/**
 * The earliest start that may be planned for this auction (tenders.md 9.2): after the end of tendering, or after the expected end of
 * a planned auction that was missed. `undefined` while the tender has no end of tendering.
 */
export function shouldStartAfter(
  auction: Auction,
  tender: StoredTender,
  now: Instant,
  settings: TenderSettings,
): string | undefined {
  const { startDate } = auction.period;
  const missed = startDate === undefined ? undefined : expectedEnd(parseInstant(startDate), auction.bids);
  const isMissed = missed !== undefined && now >= missed;
  const base = isMissed ? formatLocalDate(missed) : tender.tenderPeriod?.endDate;
  return base === undefined || isQuickAuction(tender, settings.sandbox) ? base : midnightAtOrAfter(base);
}

/** Whether this auction must be planned: it has no start, or a start before its earliest (tenders.md 9.3). */
export function planningIsDue(auction: Auction, tender: StoredTender, now: Instant, settings: TenderSettings): boolean {
  const { startDate } = auction.period;
  const earliest = shouldStartAfter(auction, tender, now, settings);
  return earliest !== undefined && (startDate === undefined || parseInstant(earliest) > parseInstant(startDate));
}
