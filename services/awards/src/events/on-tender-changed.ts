import { tenderReplica } from '@procurement/contracts/events/tender-replica';
import { replicate } from '@procurement/kit/replica';

/** Every tender as awards must know it: status, lots, terms, owner. */
export const onTenderChanged = replicate(tenderReplica, 'awards--tenders');
