import type { Subscription } from '@procurement/kit/messaging/consume/subscription';
import type { Deps } from './deps.ts';
import { onAuctionFinished } from './events/on-auction-finished.ts';
import { onAuctionUrlsPublished } from './events/on-auction-urls-published.ts';
import { onQualificationDue } from './events/on-qualification-due.ts';
import { onTenderCancelled } from './events/on-tender-cancelled.ts';
import { onTenderChanged } from './events/on-tender-changed.ts';
import { onTenderingEnded } from './events/on-tendering-ended.ts';

/** Every subscription of this service. */
export function subscriptions(deps: Deps): readonly Subscription[] {
  return [
    onTenderChanged,
    onTenderingEnded(deps),
    onQualificationDue(deps),
    onTenderCancelled(deps),
    onAuctionUrlsPublished(deps),
    onAuctionFinished(deps),
  ];
}
