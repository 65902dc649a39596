import { BidRegistered } from '@procurement/contracts/events/bid.events';
import { rpcSubjects, streams } from '@procurement/contracts/events/subjects';
import { replicaSubscription } from '@procurement/kit/messaging/replica';
import type { Subscription } from '@procurement/kit/messaging/subscription';
import type { DocumentsStore } from '../store/documents.store.ts';

/** The local copy of the public facts of every bid: its owner and its status. */
export const bidReplica = {
  kind: 'bid',
  schema: BidRegistered,
  types: ['bid.registered', 'bid.changed', 'bid.withdrawn'],
  facts: 'bid.changed',
  rpcSubject: rpcSubjects.bidFacts,
  stream: streams.bids,
  filter: 'bids.*.*',
} as const;

const copy = replicaSubscription(bidReplica, 'documents--bids');

/**
 * Keeps that copy. A bid that is activated or withdrawn may arrive after the opening of its tender, which another durable applies:
 * then the public documents of the tender are published again (decision 0064).
 */
export function onBidChanged({ documents }: { readonly documents: DocumentsStore }): Subscription {
  const types: readonly string[] = bidReplica.types;
  return {
    ...copy,
    async apply(tx, events) {
      await copy.apply(tx, events);
      const changes = events
        .filter((event) => types.includes(event.type))
        .map((event) => ({ bidId: BidRegistered.parse(event.data).id, correlationId: event.correlationid }));
      await documents.republishOpened(tx, changes);
    },
  };
}
