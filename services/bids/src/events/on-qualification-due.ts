import { streams } from '@procurement/contracts/events/subjects';
import { QualificationDue } from '@procurement/contracts/events/tender.events';
import type { Subscription } from '@procurement/kit/messaging/consume/subscription';
import type { Deps } from '../deps.ts';
import { triggeringEvents } from './triggering-events.ts';

/**
 * No auction is left to wait for: opens the bids and publishes them as every caller may see them (architecture.md, handshake 2),
 * with their documents. When the documents service does not answer, it publishes the documents later in its own event.
 */
export function onQualificationDue({ bidding, documents }: Pick<Deps, 'bidding' | 'documents'>): Subscription {
  return {
    stream: streams.tenders,
    durable: 'bids--qualification-due',
    filter: 'tenders.tender-qualification-due.*',
    async apply(tx, events) {
      const triggers = triggeringEvents(events, 'tender.qualification-due', QualificationDue);
      // The bids are sealed, so this set does not change before `open`.
      const participants = await bidding.participants(
        tx,
        triggers.map(({ tenderId }) => tenderId),
      );
      const documentsByTender = await Promise.all(
        [...participants].map(async ([id, ids]) => documents.bidDocuments({ id, bids: [...ids], opened: true })),
      );
      await bidding.open(tx, triggers, Object.assign({}, ...documentsByTender));
    },
  };
}
