import { BidRegistered } from './bid.events.ts';
import { rpcSubjects, streams } from './subjects.ts';

/** How services keep the public facts of every bid: its owner and its status. Contains no offers. */
export const bidReplica = {
  kind: 'bid',
  schema: BidRegistered,
  types: ['bid.registered', 'bid.changed', 'bid.withdrawn'],
  factType: 'bid.changed',
  rpcSubject: rpcSubjects.bidFacts,
  stream: streams.bids,
  filter: 'bids.*.*',
} as const;
