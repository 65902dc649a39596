import { BidRegistered } from '@procurement/contracts/events/bid.events';
import { streams } from '@procurement/contracts/events/subjects';
import { replicaSubscription } from '@procurement/kit/messaging/replica';

/** The local copy of the public facts of every bid: its owner and its status. */
export const bidReplica = {
  kind: 'bid',
  schema: BidRegistered,
  types: ['bid.registered', 'bid.changed', 'bid.withdrawn'],
  facts: 'bid.changed',
  stream: streams.bids,
  filter: 'bids.*.*',
} as const;

/** Keeps that copy. */
export const onBidChanged = replicaSubscription(bidReplica, 'documents--bids');
