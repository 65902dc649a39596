import type { Instant } from '@procurement/contracts/reading/instant';
import type { Auction } from './auction.ts';
import { announcementStage, stageKind } from './timetable.ts';

/** When the timetable acts next. */
export interface Timer {
  readonly at: Instant;
  /** Whether a turn ends then: offers that arrived in time are recorded first (auction-room.md 6.4). */
  readonly endsTurn: boolean;
}

/**
 * The next boundary; undefined when the timetable is over, or waits for the results to be accepted. The announcement begins once
 * both its time has come and the tender service has the results.
 */
export function nextTimer(auction: Auction): Timer | undefined {
  const next = auction.currentStage + 1;
  const boundary = auction.starts[next];
  if (boundary === undefined) return undefined;
  switch (auction.phase) {
    case 'planned':
    case 'running':
      return { at: boundary, endsTurn: next > 0 && stageKind(auction.bids.length, next - 1) === 'bids' };
    case 'finished': {
      const { resultsAcceptedAt } = auction;
      if (resultsAcceptedAt === undefined || next !== announcementStage(auction.bids.length)) return undefined;
      // Safe cast: the later of two instants.
      return { at: Math.max(boundary, resultsAcceptedAt) as Instant, endsTurn: false };
    }
    case 'announced':
    case 'cancelled':
    case 'missed':
      return undefined;
  }
}
