import { startStack, type Stack } from '@procurement/local-stack/stack';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PATIENCE } from '../../support/patience.ts';
import { startRecordingProxy, startTestPortal } from '../../support/portal.ts';
import { watchedStory } from '../../support/watched-pages.ts';
import { playAuctionCancelled } from '../stories/auction-cancelled.ts';
import { playFeatures } from '../stories/features.ts';
import { playNoBids } from '../stories/no-bids.ts';
import { playOneBid } from '../stories/one-bid.ts';
import { playTwoBids } from '../stories/two-bids.ts';
import { playTwoLots } from '../stories/two-lots.ts';

const STORIES_MS_MAX = 900_000;

let stack: Stack;

// A system of its own: on the shared one the auction room of another file would publish links between two steps of a story.
beforeAll(async () => {
  stack = await startStack({ durable: false, env: PATIENCE });
});

afterAll(async () => stack.stop());

it(
  'after every step of every story the pages of its tender are whole, show nothing sealed, and have written nothing (P1, P4, P11)',
  { timeout: STORIES_MS_MAX },
  async () => {
    const proxy = await startRecordingProxy(stack.gatewayUrl);
    const portal = await startTestPortal(proxy.url);
    try {
      const story = watchedStory(stack.gatewayUrl, portal);
      const stories = [playNoBids, playOneBid, playTwoBids, playTwoLots, playFeatures, playAuctionCancelled];
      await Promise.all(stories.map(async (play) => play(story)));
      expect(story.faults).toEqual([]);
      const statuses = ['enquiries', 'tendering', 'auction', 'qualification', 'awarded'].map(
        (step) => `active.${step}`,
      );
      expect([...story.seen.keys()].toSorted()).toEqual(
        [...statuses, 'cancelled', 'complete', 'unsuccessful'].toSorted(),
      );
      expect(proxy.requests.length).toBeGreaterThan(100);
      expect(proxy.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    } finally {
      await portal.stop();
      await proxy.stop();
    }
  },
);
