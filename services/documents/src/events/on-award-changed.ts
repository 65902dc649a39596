import { rpcSubjects, streams } from '@procurement/contracts/events/subjects';
import { AwardFacts } from '@procurement/contracts/resources/award-facts';
import { replicaSubscription } from '@procurement/kit/messaging/consume/replica';

/** The local copy of awards, their complaints and contracts, one row for each tender. */
export const awardReplica = {
  kind: 'awards',
  schema: AwardFacts,
  types: ['award.changed'],
  factType: 'award.changed',
  rpcSubject: rpcSubjects.awardFacts,
  stream: streams.awards,
  filter: 'awards.award-changed.*',
} as const;

/** Keeps that copy. */
export const onAwardChanged = replicaSubscription(awardReplica, 'documents--awards');
