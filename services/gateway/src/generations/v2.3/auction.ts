import { invalid } from '@procurement/contracts/problems/problems';
import type { JsonObject } from '@procurement/contracts/reading/json-object';
import type { DecodeResult } from '../codec.ts';
import { pickMembers, type ValueRewriter } from '../../json/json-rewriter.ts';
import { makeEncoder } from '../encode-for-2.3-and-0.ts';
import type { Segment23Or0 } from '../member-table-for-2.3-and-0.ts';
import { resolveDuplicates, CONFLICT_DESCRIPTION } from '../resolve-duplicates.ts';

/** Encodes the auction record; of two members only a part is shown (generations.md 3.9). */
export function auctionEncoder(segment: Segment23Or0): ValueRewriter {
  return makeEncoder('Auction', segment, {
    minimalStep: pickMembers('amount', 'currency'),
    tenderPeriod: pickMembers('startDate'),
  });
}

/** Decodes results or URLs of an auction: accepts `bidders` for `bids`, and ignores an echoed `dateModified`. */
export function decodeAuction(data: JsonObject): DecodeResult {
  const { dateModified: _echo, bidders, ...rest } = data;
  if (bidders === undefined) return { data: rest };
  const resolved = resolveDuplicates(rest['bids'] === undefined ? [bidders] : [bidders, rest['bids']]);
  if (resolved !== undefined) return { data: { ...rest, bids: resolved.value } };
  return { refused: invalid([{ location: 'body', name: 'bids', description: [...CONFLICT_DESCRIPTION] }]) };
}
