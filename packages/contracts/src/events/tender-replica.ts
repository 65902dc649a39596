import { TenderFacts } from '../resources/tender-facts.ts';
import { askSubjects, streams } from './subjects.ts';

/** How a sibling keeps its own copy of every tender. */
export const tenderReplica = {
  kind: 'tender',
  schema: TenderFacts,
  types: ['tender.created', 'tender.changed'],
  askSubject: askSubjects.tenderFacts,
  stream: streams.tenders,
  filter: 'tenders.*.*',
} as const;
