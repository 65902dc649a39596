import { DocumentFacts } from '@procurement/contracts/events/document.events';
import { streams } from '@procurement/contracts/events/subjects';
import { readKeys } from '@procurement/kit/database/read-keys';
import type { Copies, Subscription } from '@procurement/kit/messaging/consume/subscription';
import type { ExternalInputsStore } from '../store/external-inputs.store.ts';
import { externalInputSubscription } from './external-input-subscription.ts';

const WITH_DOCUMENTS = `SELECT id AS key FROM tender
  WHERE id > $1 AND private_state::json -> 'documents' IS NOT NULL ORDER BY id LIMIT $2`;

/** Replaces the public documents of a tender and of its parts (http.md 2). */
export function onDocumentChanged(externalInputs: ExternalInputsStore): Subscription {
  const declaration = {
    stream: streams.documents,
    durable: 'tenders--documents',
    filter: 'documents.document-changed.*',
    factType: 'document.changed',
  };
  const subscription = externalInputSubscription(externalInputs, declaration, (event) => {
    const documents = DocumentFacts.parse(event.data);
    return { id: documents.id, input: { type: 'ReplaceDocuments', facts: documents } };
  });
  const copies: Copies = {
    keys: async (db, after, max) => readKeys(db, WITH_DOCUMENTS, [after, max]),
    async remove(tx, ids) {
      const inputs = ids.map((id) => ({ id, input: { type: 'RemoveDocuments' } as const }));
      await externalInputs.apply(tx, inputs, `rebuild-${declaration.durable}`);
    },
  };
  return { ...subscription, copies };
}
