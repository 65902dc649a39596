import { invalid } from '@procurement/contracts/problems/problems';
import type { JsonObject, DecodeResult } from '../codec.ts';
import { pickMembers, rewriteMember, type MemberRewriter } from '../../json/json-rewriter.ts';
import { resolveDuplicates, CONFLICT_DESCRIPTION } from '../duplicate-names.ts';

/** Members of the auction record that old segments show in part (generations.md 3.9). */
export const PARTIAL_MEMBERS: Readonly<Record<string, MemberRewriter>> = {
  minimalStep: rewriteMember(pickMembers('amount', 'currency')),
  tenderPeriod: rewriteMember(pickMembers('startDate')),
};

/** Results or addresses of an auction: the old name of the list is read, and the echo of the record's date passed over. */
export function decodeAuction(data: JsonObject): DecodeResult {
  const { dateModified: _echo, bidders, ...rest } = data;
  if (bidders === undefined) return { data: rest };
  const resolved = resolveDuplicates(rest['bids'] === undefined ? [bidders] : [bidders, rest['bids']]);
  if (resolved !== undefined) return { data: { ...rest, bids: resolved.value } };
  return { refused: invalid([{ location: 'body', name: 'bids', description: [...CONFLICT_DESCRIPTION] }]) };
}
