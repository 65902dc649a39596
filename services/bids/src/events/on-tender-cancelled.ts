import { streams } from '@procurement/contracts/events/subjects';
import { TenderCancelled } from '@procurement/contracts/events/tender.events';
import type { Subscription } from '@procurement/kit/messaging/consume/subscription';
import type { Deps } from '../deps.ts';
import { triggeringEvents } from './triggering-events.ts';

/** A tender was cancelled before its bids were opened: erases them and closes the bidding (tenders.md 14). */
export function onTenderCancelled({ bidding }: Pick<Deps, 'bidding'>): Subscription {
  return {
    stream: streams.tenders,
    durable: 'bids--tender-cancelled',
    filter: 'tenders.tender-cancelled.*',
    apply: async (tx, events) => {
      const triggers = triggeringEvents(events, 'tender.cancelled', TenderCancelled);
      await bidding.erase(
        tx,
        triggers.filter((trigger) => trigger.data.erasesBids),
      );
    },
  };
}
