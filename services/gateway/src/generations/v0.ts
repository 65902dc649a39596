import type { SegmentUrlBase } from './addresses.ts';
import type { Codec } from './codec.ts';
import { codecFor23And0 } from './current.ts';
import { HIDDEN_ON_0 } from './v0.tender.ts';

/** Segment 0: as 2.3, with fewer members of a tender; what it does not ask for on creation is filled. */
export function codec0(urlBase: SegmentUrlBase): Codec {
  return codecFor23And0({ segment: '0', hidden: HIDDEN_ON_0, drafts: 'without-drafts', decodesTenders: true }, urlBase);
}
