import { TenderFacts } from '../resources/tender-facts.ts';
import { rpcSubjects, streams } from './subjects.ts';

/** Replica declaration for services that keep a copy of every tender. */
export const tenderReplica = {
  kind: 'tender',
  schema: TenderFacts,
  types: ['tender.created', 'tender.changed'],
  factType: 'tender.changed',
  rpcSubject: rpcSubjects.tenderFacts,
  stream: streams.tenders,
  filter: 'tenders.*.*',
} as const;
