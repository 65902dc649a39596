import { tenderReplica } from '@procurement/contracts/events/tender-replica';
import { replicaSubscription } from '@procurement/kit/messaging/replica';

/** Every tender as bids must know it: status, periods, terms, owner. */
export const onTenderChanged = replicaSubscription(tenderReplica, 'bids--tenders');
