import { describe, inject, it } from 'vitest';
import { playFeatures } from '../stories/features.ts';
import { storyContextAt } from '../../support/story-context.ts';

const url = inject('gatewayUrl');

describe('features (bids-awards-auction.md 6.6)', () => {
  it('the dearer bid wins by its parameters, the cheaper by its result in the auction', async () => {
    await playFeatures(storyContextAt(url));
  });
});
