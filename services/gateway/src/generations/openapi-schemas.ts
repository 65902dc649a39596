import type { Segment } from '@procurement/contracts/api/route';
import type { SegmentSchemaOverrides } from './schema-overrides.ts';
import type { Generation01 } from './codec.ts';
import { buildSchemas01 } from './v0.1/schemas.ts';
import { schemas0 } from './v0/schemas.ts';
import { schemas23 } from './v2.3/schemas.ts';

/** OpenAPI schemas of a segment that differ from those of 2.5. */
export function selectSchemas(segment: Segment, generation01: Generation01): SegmentSchemaOverrides {
  if (segment === '0.1') return buildSchemas01(generation01);
  return { '2.5': {}, '2.3': schemas23, '0': schemas0 }[segment];
}
