import type { Subscription } from '@procurement/kit/messaging/consume/subscription';
import type { Deps } from './deps.ts';
import { onAwardChanged } from './events/on-award-changed.ts';
import { onBidChanged } from './events/on-bid-changed.ts';
import { onBidsOpened } from './events/on-bids-opened.ts';
import { onTenderChanged } from './events/on-tender-changed.ts';

/** Every subscription of this service. */
export function subscriptions(deps: Deps): readonly Subscription[] {
  return [onTenderChanged(deps), onBidChanged(deps), onAwardChanged, onBidsOpened(deps)];
}
