import { streams } from '@procurement/contracts/events/subjects';
import { QualificationDue } from '@procurement/contracts/events/tender.events';
import type { Subscription } from '@procurement/kit/messaging/subscription';
import type { Deps } from '../deps.ts';
import { triggeringEvents } from './triggering-events.ts';

/**
 * Nothing is left to be auctioned: bids are opened, and told as anyone sees them from here on (handshake 2), with their
 * documents, so that these show with them. Where nobody answers for documents they follow in an event of their own.
 */
export function onQualificationDue({ bidding, documents }: Pick<Deps, 'bidding' | 'documents'>): Subscription {
  return {
    stream: streams.tenders,
    durable: 'bids--qualification-due',
    filter: 'tenders.tender-qualification-due.*',
    async apply(tx, events) {
      const triggers = triggeringEvents(events, 'tender.qualification-due', QualificationDue);
      // Sealed by now, so these are the ones.
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
