import { withNextAwards } from './award.next.ts';
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
  const awards = withNextAwards({ tender: awarding.tender, bids }, awarding.awards, context);
  return [{ type: 'AwardingChanged', parts: { bids, awards } }];
}
