import type { Segment } from '@procurement/contracts/api/route';
import { SEGMENTS, type PublicSegment } from './segments.ts';
import type { SegmentUrlBase } from './segment-urls.ts';
import type { Codec } from './codec.ts';
import { codec0 } from './v0/codec.ts';
import { codec01 } from './v0.1/codec.ts';
import { codec23 } from './v2.3/codec.ts';
import { codec25 } from './v2.5/codec.ts';

/** Codecs by main segment. */
const CODEC_FACTORIES: Readonly<Record<Segment, (urlBase: SegmentUrlBase) => Codec>> = {
  '2.5': codec25,
  '2.3': codec23,
  '0': codec0,
  '0.1': codec01,
};

/** Codecs of all public segments, aliases included. `base` is the public scheme and host. */
export function makeCodecs(base: string): (segment: PublicSegment) => Codec {
  // The keys of a constant object are its type's keys.
  const segments = Object.keys(SEGMENTS) as PublicSegment[];
  const codecs = new Map(segments.map((segment) => [segment, makeCodec(segment, base)]));
  return (segment) => codecs.get(segment) ?? makeCodec(segment, base);
}

function makeCodec(segment: PublicSegment, base: string): Codec {
  const factory = CODEC_FACTORIES[SEGMENTS[segment]];
  return factory({ base: base.replace(/\/$/, ''), segment });
}
