import type { Segment } from '@procurement/contracts/api/route';
import type { SegmentShapes } from '@procurement/contracts/openapi';
import type { EarlyGeneration } from './codec.ts';
import { shapesOfEarly } from './v0.1.shapes.ts';
import { shapes0 } from './v0.shapes.ts';
import { shapes23 } from './v2.3.shapes.ts';

/** What a generation shows otherwise than 2.5, for its reference. */
export function shapesOf(generation: Segment, early: EarlyGeneration): SegmentShapes {
  if (generation === '0.1') return shapesOfEarly(early);
  return { '2.5': {}, '2.3': shapes23, '0': shapes0 }[generation];
}
