import { addMicros, type Instant } from '@procurement/contracts/reading/instant';
import type { Auction } from '../domain/auction.ts';
import { stageAt, stageKind } from '../domain/timetable.ts';

/**
 * The instant until which an offer waits that arrived shortly after a turn ended: offers that arrived before the end are recorded
 * first (auction-room.md 6.4). Undefined when it need not wait.
 */
export function turnEndedAt(auction: Auction, arrivedAt: Instant, turnEndMicros: number): Instant | undefined {
  const stage = stageAt(auction.starts, arrivedAt);
  const boundary = auction.starts[stage];
  if (boundary === undefined || stage < 1 || stageKind(auction.bids.length, stage - 1) !== 'bids') return undefined;
  return arrivedAt < boundary + turnEndMicros ? addMicros(boundary, turnEndMicros) : undefined;
}
