import { describe, inject, it } from 'vitest';
import { playNoBids } from '../stories/no-bids.ts';
import { storyContextAt } from '../../support/story-context.ts';

const url = inject('gatewayUrl');

describe('a tender without bids (bids-awards-auction.md 6.4)', () => {
  it('goes from enquiries to unsuccessful by the clock', async () => {
    await playNoBids(storyContextAt(url));
  });
});
