import { BidRegistered } from '@procurement/contracts/events/bid.events';
import { streams } from '@procurement/contracts/events/subjects';
import { replicaSubscription } from '@procurement/kit/messaging/replica';

/** How this service keeps its own copy of what may be known of every bid: whose it is, and whether it is there. */
export const bidReplica = {
  kind: 'bid',
  schema: BidRegistered,
  types: ['bid.registered', 'bid.changed', 'bid.withdrawn'],
  stream: streams.bids,
  filter: 'bids.*.*',
} as const;

/** Every bid as documents must know it. */
export const onBidChanged = replicaSubscription(bidReplica, 'documents--bids');
