import { BidRegistered } from '@procurement/contracts/events/bid.events';
import { streams } from '@procurement/contracts/events/subjects';
import { replicaSubscription } from '@procurement/kit/messaging/replica';

/** Whose the bids of a tender are: any bidder may complain of its awards (bids-awards-auction.md 3.7). Never what they offer. */
export const onBidChanged = replicaSubscription(
  {
    kind: 'bid',
    schema: BidRegistered,
    types: ['bid.registered', 'bid.changed', 'bid.withdrawn'],
    stream: streams.bids,
    filter: 'bids.*.*',
  },
  'awards--bids',
);
