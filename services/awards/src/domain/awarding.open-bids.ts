import { withNextAwards } from './award.next.ts';
import { isFinal } from '@procurement/domain/tender-status';
import type { Awarding, AwardingEvent, DecisionContext, OpenedBid } from './awarding.ts';

/**
 * Stores the opened bids and awards the best of each lot (bids-awards-auction.md 3.3). Emits an event even when there is no
 * award, because the tender waits for it. Repeated, it does nothing.
 */
export function openBids(
  awarding: Awarding,
  bids: readonly OpenedBid[],
  context: DecisionContext,
): readonly AwardingEvent[] {
  if (awarding.bids !== undefined) return [];
  const { tender } = awarding;
  // A tender that was cancelled meanwhile gets no awards (architecture.md, handshake 3).
  const awards = isFinal(tender.status) ? awarding.awards : withNextAwards({ tender, bids }, awarding.awards, context);
  return [{ type: 'AwardingChanged', parts: { bids, awards } }];
}
