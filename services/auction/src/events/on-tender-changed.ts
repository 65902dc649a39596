import { tenderReplica } from '@procurement/contracts/events/tender-replica';
import { replicate } from '@procurement/kit/replica';

/** Every tender as the auction must know it: periods, lots, steps, features. */
export const onTenderChanged = replicate(tenderReplica, 'auction--tenders');
