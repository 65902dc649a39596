import { tenderReplica } from '@procurement/contracts/events/tender-replica';
import { replicaSubscription } from '@procurement/kit/messaging/replica';

/** Every tender as documents must know it: who may add files to it, in which status. */
export const onTenderChanged = replicaSubscription(tenderReplica, 'documents--tenders');
