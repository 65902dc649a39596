import {
  dropMember,
  keepMember,
  renameMember,
  rewriteMember,
  rewriteObject,
  type MemberRewriter,
  type ValueRewriter,
} from '../json/json-rewriter.ts';
import { membersOf, type ChangedType, type Segment23Or0 } from './member-table-for-2.3-and-0.ts';

/**
 * Encodes an object by the member table. `values` are the encoders of members whose value changes too. What the table
 * shows unchanged stays one slice of the text.
 */
export function makeEncoder(
  type: ChangedType,
  segment: Segment23Or0,
  values: Readonly<Record<string, ValueRewriter>> = {},
): ValueRewriter {
  const members: Record<string, MemberRewriter> = {};
  for (const { name, [segment]: wire } of membersOf(type)) {
    const value = values[name];
    if (wire === undefined) members[name] = dropMember;
    else if (wire !== name) members[name] = renameMember(wire, value);
    else if (value !== undefined) members[name] = rewriteMember(value);
  }
  return rewriteObject(members, keepMember);
}
