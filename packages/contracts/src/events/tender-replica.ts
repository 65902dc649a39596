import { TenderFacts } from '../resources/tender-facts.ts';
import { rpcSubjects, streams } from './subjects.ts';

/** How a sibling keeps its own copy of every tender. */
export const tenderReplica = {
  kind: 'tender',
  schema: TenderFacts,
  types: ['tender.created', 'tender.changed'],
  rpcSubject: rpcSubjects.tenderFacts,
  stream: streams.tenders,
  filter: 'tenders.*.*',
} as const;
