import { BidRegistered } from '@procurement/contracts/events/bid.events';
import type { Envelope } from '@procurement/contracts/events/envelope';
import { rpcSubjects, streams } from '@procurement/contracts/events/subjects';
import { replicaSubscription } from '@procurement/kit/messaging/replica';
import type { Subscription } from '@procurement/kit/messaging/subscription';
import type { BidChange, DocumentsStore } from '../store/documents.store.ts';

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

const HAVE_DOCUMENTS = `EXISTS (SELECT FROM document_version WHERE parent_kind = 'bid' AND parent_id = ANY(:1::text[]))`;
const copy = replicaSubscription(bidReplica, 'documents--bids');

/**
 * Keeps that copy. A bid that is activated or withdrawn may arrive after the opening of its tender, which another durable applies:
 * then the public documents of the tender are published again (decision 0064). Facts of bids without documents are one statement.
 */
export function onBidChanged({ documents }: { readonly documents: DocumentsStore }): Subscription {
  return {
    ...copy,
    async apply(tx, events) {
      await copy.apply(tx, events);
      await documents.republishOpened(tx, changesOf(events));
    },
    factsStatement: (events) => ({
      ...copy.factsStatement(events),
      name: 'bids-without-documents',
      unless: { text: HAVE_DOCUMENTS, values: [changesOf(events).map(({ bidId }) => bidId)] },
    }),
  };
}

const TYPES: readonly string[] = bidReplica.types;

function changesOf(events: readonly Envelope[]): readonly BidChange[] {
  return events
    .filter((event) => TYPES.includes(event.type))
    .map((event) => ({ bidId: BidRegistered.parse(event.data).id, correlationId: event.correlationid }));
}
