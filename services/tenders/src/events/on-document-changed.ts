import { DocumentFacts } from '@procurement/contracts/events/document.events';
import { streams } from '@procurement/contracts/events/subjects';
import type { Subscription } from '@procurement/kit/messaging/consume/subscription';
import type { ExternalInputsStore } from '../store/external-inputs.store.ts';
import { externalInputSubscription } from './external-input-subscription.ts';

/** Replaces the public documents of a tender and of its parts (http.md 2). */
export function onDocumentChanged(externalInputs: ExternalInputsStore): Subscription {
  const declaration = {
    stream: streams.documents,
    durable: 'tenders--documents',
    filter: 'documents.document-changed.*',
    facts: 'document.changed',
  };
  return externalInputSubscription(externalInputs, declaration, (event) => {
    const documents = DocumentFacts.parse(event.data);
    return { id: documents.id, input: { type: 'ReplaceDocuments', facts: documents } };
  });
}
