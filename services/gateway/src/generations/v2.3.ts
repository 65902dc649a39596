import type { Addresses } from './addresses.ts';
import type { Codec } from './codec.ts';
import { currentCodec } from './current.ts';

/** Segment 2.3: everything of a tender as in 2.5, what hangs off it in the shapes of the interface document. */
export function codec23(addresses: Addresses): Codec {
  return currentCodec({ segment: '2.3', hidden: new Set(), drafts: 'with-drafts', readsTenders: false }, addresses);
}
