import { keepMember, rewriteEach, rewriteMember, rewriteObject, type ValueRewriter } from '../../json/json-rewriter.ts';
import { encoderOf } from '../encode-for-2.3-and-0.ts';
import type { Segment23Or0 } from '../member-table-for-2.3-and-0.ts';

/** Encodes a contract for segments 2.3 and 0: only its suppliers differ from 2.5 (generations.md 3.5). */
export function contractEncoder(segment: Segment23Or0): ValueRewriter {
  const suppliers = rewriteEach(encoderOf('BusinessOrganization', segment));
  return rewriteObject({ suppliers: rewriteMember(suppliers) }, keepMember);
}
