import { DocumentFacts } from '@procurement/contracts/events/document.events';
import { streams } from '@procurement/contracts/events/subjects';
import { replicaSubscription } from '@procurement/kit/messaging/consume/replica';
import type { Subscription } from '@procurement/kit/messaging/consume/subscription';
import type { Deps } from '../deps.ts';

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
export function onDocumentChanged({
  contracts,
  externalInputs,
}: Pick<Deps, 'contracts' | 'externalInputs'>): Subscription {
  const replica = replicaSubscription(documentReplica, 'awards--documents');
  return {
    ...replica,
    rowBytes: async (tenderIds) => externalInputs.rowBytes(tenderIds),
    copies: {
      ...replica.copies,
      remove: async (tx, tenderIds) =>
        contracts.publishDocuments(tx, tenderIds, async () => replica.copies.remove(tx, tenderIds)),
    },
    async apply(tx, events) {
      const tenderIds = [...new Set(events.map(({ subject }) => subject))];
      await contracts.publishDocuments(tx, tenderIds, async () => replica.apply(tx, events));
    },
  };
}
