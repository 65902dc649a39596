import { streams } from '@procurement/contracts/events/subjects';
import { TenderingEnded } from '@procurement/contracts/events/tender.events';
import type { Subscription } from '@procurement/kit/messaging/subscription';
import type { Deps } from '../deps.ts';
import { triggeringEvents } from './triggering-events.ts';

/**
 * The tendering period ended: closes the bidding and publishes the sealed sets in one transaction (architecture.md,
 * handshake 1). A repeated event gets the same answer again.
 */
export function onTenderingEnded({ bidding }: Pick<Deps, 'bidding'>): Subscription {
  return {
    stream: streams.tenders,
    durable: 'bids--tendering-ended',
    filter: 'tenders.tender-tendering-ended.*',
    apply: async (tx, events) => bidding.seal(tx, triggeringEvents(events, 'tender.tendering-ended', TenderingEnded)),
  };
}
