import type { SegmentUrlBase } from '../segment-urls.ts';
import type { Codec } from '../codec.ts';
import { codecFor23And0 } from '../codec-for-2.3-and-0.ts';

/**
 * Segment 2.3: tenders as in 2.5; bids, awards, parties and auction records in the shapes of the interface document.
 */
export function codec23(urlBase: SegmentUrlBase): Codec {
  return codecFor23And0({ segment: '2.3', drafts: 'with-drafts', tenderDefaults: [] }, urlBase);
}
