import { expect, inject, it } from 'vitest';
import { startRecordingProxy, startTestPortal } from '../../support/portal.ts';
import { watchedStory } from '../../support/watched-pages.ts';
import { playAuctionCancelled } from '../stories/auction-cancelled.ts';
import { playFeatures } from '../stories/features.ts';
import { playNoBids } from '../stories/no-bids.ts';
import { playOneBid } from '../stories/one-bid.ts';
import { playTwoBids } from '../stories/two-bids.ts';
import { playTwoLots } from '../stories/two-lots.ts';

const url = inject('gatewayUrl');
const STORIES_MS_MAX = 900_000;

it(
  'after every step of every story the pages of its tender are whole, show nothing sealed, and have written nothing (P1, P4, P11)',
  { timeout: STORIES_MS_MAX },
  async () => {
    const proxy = await startRecordingProxy(url);
    const portal = await startTestPortal(proxy.url);
    try {
      const story = watchedStory(url, portal);
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
