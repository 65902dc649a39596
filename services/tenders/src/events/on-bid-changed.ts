import { BidRegistered } from '@procurement/contracts/events/bid.events';
import { streams } from '@procurement/contracts/events/subjects';
import type { Subscription } from '@procurement/kit/messaging/subscription';
import { applyToReplica } from '@procurement/kit/messaging/replica';

/** Replicates the registration of bids: their existence and owners, no content, because the bids are sealed. */
export const onBidChanged: Subscription = {
  stream: streams.bids,
  durable: 'tenders--bids',
  filter: 'bids.*.*',
  apply: applyToReplica({
    kind: 'bid',
    schema: BidRegistered,
    types: ['bid.registered', 'bid.changed', 'bid.withdrawn'],
  }),
};
