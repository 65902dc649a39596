import type { SegmentUrlBase } from '../segment-urls.ts';
import type { Codec } from '../codec.ts';
import { codecFor23And0 } from '../codec-for-2.3-and-0.ts';
import { HIDDEN_ON_0 } from './tender.ts';

/** Segment 0: as 2.3, with fewer members of a tender; what it does not ask for on creation is filled. */
export function codec0(urlBase: SegmentUrlBase): Codec {
  return codecFor23And0({ segment: '0', hidden: HIDDEN_ON_0, drafts: 'without-drafts', decodesTenders: true }, urlBase);
}
