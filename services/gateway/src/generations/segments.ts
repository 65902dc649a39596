import type { Segment } from '@procurement/contracts/api/route';

/** Path segments that clients may use, and the generation of each (generations.md 1). */
export const SEGMENTS = {
  '2.5': '2.5',
  '2.4': '2.5',
  '2.3': '2.3',
  '0': '0',
  '0.1': '0.1',
  '0.2': '0.1',
} as const satisfies Readonly<Record<string, Segment>>;

export type PublicSegment = keyof typeof SEGMENTS;
