import { withNextAwards } from './award.next.ts';
import type { Awarding, AwardingEvent, DecisionContext, OpenedBid } from './awarding.ts';

/**
 * The bids of the tender are open: the best of each lot is awarded (bids-awards-auction.md 3.3). Told once whatever comes of it,
 * because the tender waits for it; told again, nothing happens.
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
