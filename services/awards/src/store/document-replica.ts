import { DocumentFacts } from '@procurement/contracts/events/document.events';
import { streams } from '@procurement/contracts/events/subjects';

/** Replica of all documents of a tender and its parts; shown with awards, their complaints and contracts. */
export const documentReplica = {
  kind: 'documents',
  schema: DocumentFacts,
  types: ['document.changed'],
  factType: 'document.changed',
  stream: streams.documents,
  filter: 'documents.document-changed.*',
} as const;
