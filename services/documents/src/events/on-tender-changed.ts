import { tenderReplica } from '@procurement/contracts/events/tender-replica';
import { replicaSubscription } from '@procurement/kit/messaging/replica';

/** Keeps a copy of every tender: its status, owner, lots, complaints and cancellations. */
export const onTenderChanged = replicaSubscription(tenderReplica, 'documents--tenders');
