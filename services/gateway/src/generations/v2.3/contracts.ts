import { rewriteEach, type ValueRewriter } from '../../json/json-rewriter.ts';
import { makeEncoder } from '../encode-for-2.3-and-0.ts';
import type { Segment23Or0 } from '../member-table-for-2.3-and-0.ts';

/** Encodes a contract for segments 2.3 and 0, in a tender and at its own address (generations.md 3.5). */
export function contractEncoder(segment: Segment23Or0): ValueRewriter {
  const suppliers = rewriteEach(makeEncoder('BusinessOrganization', segment));
  return makeEncoder('StandaloneContract', segment, { suppliers, value: makeEncoder('ContractValue', segment) });
}
