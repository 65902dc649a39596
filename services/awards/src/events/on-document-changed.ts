import type { Envelope } from '@procurement/contracts/events/envelope';
import { DocumentFacts } from '@procurement/contracts/events/document.events';
import { streams } from '@procurement/contracts/events/subjects';
import { replicaSubscription } from '@procurement/kit/messaging/consume/replica';
import type { Subscription } from '@procurement/kit/messaging/consume/subscription';
import type { ContractFeedStore } from '../store/contract-feed.store.ts';

/** Replica of all documents of a tender and its parts; shown with awards, their complaints and contracts. */
export const documentReplica = {
  kind: 'documents',
  schema: DocumentFacts,
  types: ['document.changed'],
  facts: 'document.changed',
  stream: streams.documents,
  filter: 'documents.document-changed.*',
} as const;

/** Keeps that copy, and publishes the contracts whose documents have changed (contracting.md 9.2). */
export function onDocumentChanged({ contracts }: { readonly contracts: ContractFeedStore }): Subscription {
  const replica = replicaSubscription(documentReplica, 'awards--documents');
  return {
    ...replica,
    async apply(tx, events) {
      const tenderIds = [...new Set(events.filter(isOfDocuments).map(({ subject }) => subject))];
      await contracts.publishDocuments(tx, tenderIds, async () => replica.apply(tx, events));
    },
  };
}

function isOfDocuments({ type }: Envelope): boolean {
  return documentReplica.types.some((one) => one === type);
}
