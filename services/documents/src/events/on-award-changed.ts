import { streams } from '@procurement/contracts/events/subjects';
import { AwardFacts } from '@procurement/contracts/resources/award-facts';
import { replicaSubscription } from '@procurement/kit/messaging/replica';

/** How this service keeps its own copy of the awards, their complaints and the contracts of every tender. */
export const awardReplica = {
  kind: 'awards',
  schema: AwardFacts,
  types: ['award.changed'],
  stream: streams.awards,
  filter: 'awards.award-changed.*',
} as const;

/** The awards and contracts of every tender as documents must know them. */
export const onAwardChanged = replicaSubscription(awardReplica, 'documents--awards');
