import { tenderReplica } from '@procurement/contracts/events/tender-replica';
import { replicaSubscription } from '@procurement/kit/messaging/consume/replica';
import { END_WAITS_OF_VOID } from '@procurement/kit/messaging/request/flow-waits';

/**
 * Bids of a tender that its owner has lost are void. A writer of a bid holds the row of the bidding: the statement that deletes it waits for
 * the writer, and the next one sees the bid.
 */
const removeDependents = [
  ...['bidding', 'bid', 'bidding_result', 'seal'].map(
    (table) => `DELETE FROM ${table} WHERE tender_id = ANY($1::text[])`,
  ),
  END_WAITS_OF_VOID,
];

/** Keeps a copy of every tender: status, periods, terms, owner. */
export const onTenderChanged = replicaSubscription({ ...tenderReplica, removeDependents }, 'bids--tenders');
