import { describe, inject, it } from 'vitest';
import { playAuctionCancelled } from '../stories/auction-cancelled.ts';
import { storyContextAt } from '../../support/story-context.ts';

const url = inject('gatewayUrl');

describe('a cancellation in the middle of the auction (bids-awards-auction.md 6.5)', () => {
  it('erases the bids, and every service refuses writes after it', async () => {
    await playAuctionCancelled(storyContextAt(url));
  });
});
