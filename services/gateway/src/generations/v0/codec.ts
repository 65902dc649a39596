import type { SegmentUrlBase } from '../segment-urls.ts';
import type { Codec } from '../codec.ts';
import { DEFAULTS_ON_0 } from '../tender-defaults.ts';
import { codecFor23And0 } from '../codec-for-2.3-and-0.ts';

/**
 * Segment 0: as 2.3 with fewer members of a tender and no drafts; a creation gets defaults for what it may leave out.
 */
export function codec0(urlBase: SegmentUrlBase): Codec {
  return codecFor23And0({ segment: '0', drafts: 'without-drafts', tenderDefaults: DEFAULTS_ON_0 }, urlBase);
}
