import { bidReplica } from '@procurement/contracts/events/bid-replica';
import { replicaSubscription } from '@procurement/kit/messaging/consume/replica';

/** Bidders may complain about awards (bids-awards-auction.md 3.7). */
export const onBidChanged = replicaSubscription(bidReplica, 'awards--bids');
