import { BidRegistered } from '@procurement/contracts/events/bid.events';
import { rpcSubjects, streams } from '@procurement/contracts/events/subjects';
import { replicaSubscription } from '@procurement/kit/messaging/replica';

/** Replica of the owners of bids: bidders may complain about awards (bids-awards-auction.md 3.7). Contains no offers. */
export const bidReplica = {
  kind: 'bid',
  schema: BidRegistered,
  types: ['bid.registered', 'bid.changed', 'bid.withdrawn'],
  facts: 'bid.changed',
  rpcSubject: rpcSubjects.bidFacts,
  stream: streams.bids,
  filter: 'bids.*.*',
} as const;

export const onBidChanged = replicaSubscription(bidReplica, 'awards--bids');
