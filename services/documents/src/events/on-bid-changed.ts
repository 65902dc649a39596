import { bidReplica } from '@procurement/contracts/events/bid-replica';
import { BidRegistered } from '@procurement/contracts/events/bid.events';
import type { Envelope } from '@procurement/contracts/events/envelope';
import { replicaSubscription } from '@procurement/kit/messaging/consume/replica';
import type { Subscription } from '@procurement/kit/messaging/consume/subscription';
import type { BidChange, DocumentsStore } from '../store/documents.store.ts';

const copy = replicaSubscription(bidReplica, 'documents--bids');

/**
 * Keeps the copy of the public facts of bids. A bid that is activated or withdrawn may arrive after the opening of its tender, which
 * another durable applies: then the public documents of the tender are published again (decision 0064).
 */
export function onBidChanged({ documents }: { readonly documents: DocumentsStore }): Subscription {
  return {
    ...copy,
    copies: {
      ...copy.copies,
      async remove(tx, bidIds) {
        await copy.copies.remove(tx, bidIds);
        await documents.republishOpened(
          tx,
          bidIds.map((bidId) => ({ bidId, correlationId: `rebuild-${copy.durable}` })),
        );
      },
    },
    async apply(tx, events) {
      await copy.apply(tx, events);
      await documents.republishOpened(tx, selectChanges(events));
    },
  };
}

const TYPES: readonly string[] = bidReplica.types;

function selectChanges(events: readonly Envelope[]): readonly BidChange[] {
  return events
    .filter((event) => TYPES.includes(event.type))
    .map((event) => ({ bidId: BidRegistered.parse(event.data).id, correlationId: event.correlationid }));
}
