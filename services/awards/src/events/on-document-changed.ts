import { replicaSubscription } from '@procurement/kit/messaging/consume/replica';
import type { Subscription } from '@procurement/kit/messaging/consume/subscription';
import type { Deps } from '../deps.ts';
import { documentReplica } from '../store/document-replica.ts';

/** Keeps the copy of documents, and publishes the contracts whose documents have changed (contracting.md 9.2). */
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
