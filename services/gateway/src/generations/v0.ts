import type { Addresses } from './addresses.ts';
import type { Codec } from './codec.ts';
import { currentCodec } from './current.ts';
import { HIDDEN_ON_0 } from './v0.tender.ts';

/** Segment 0: as 2.3, with fewer members of a tender; what it does not ask for on creation is filled. */
export function codec0(addresses: Addresses): Codec {
  return currentCodec({ segment: '0', hidden: HIDDEN_ON_0, drafts: 'without-drafts', readsTenders: true }, addresses);
}
