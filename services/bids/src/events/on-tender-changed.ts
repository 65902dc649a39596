import { tenderReplica } from '@procurement/contracts/events/tender-replica';
import { replicaSubscription } from '@procurement/kit/messaging/consume/replica';

/** Keeps a copy of every tender: status, periods, terms, owner. */
export const onTenderChanged = replicaSubscription(tenderReplica, 'bids--tenders');
