import { tenderReplica } from '@procurement/contracts/events/tender-replica';
import { replicate } from '@procurement/kit/replica';

/** Every tender as documents must know it: who may add files to it, in which status. */
export const onTenderChanged = replicate(tenderReplica, 'documents--tenders');
