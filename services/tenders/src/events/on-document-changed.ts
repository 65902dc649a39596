import { DocumentFacts } from '@procurement/contracts/events/document.events';
import { streams } from '@procurement/contracts/events/subjects';
import type { Subscription } from '@procurement/kit/subscription';
import type { FactsStore } from '../store/facts.store.ts';
import { following } from './following.ts';

/** Documents of a tender and of all that hangs off it, as anybody may see them (http.md 2). */
export function onDocumentChanged(facts: FactsStore): Subscription {
  const declaration = {
    stream: streams.documents,
    durable: 'tenders--documents',
    filter: 'documents.document-changed.*',
  };
  return following(facts, declaration, (event) => {
    const documents = DocumentFacts.parse(event.data);
    return { id: documents.id, fact: { type: 'TakeDocuments', facts: documents } };
  });
}
