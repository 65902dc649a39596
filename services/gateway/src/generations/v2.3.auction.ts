import { invalid } from '@procurement/contracts/problems';
import type { JsonObject, RequestReading } from './codec.ts';
import { picked, shownIn, type MemberForm } from './forms.ts';
import { agreed, CONFLICT } from './same.ts';

/** Members of the auction record that old segments show in part (generations.md 3.9). */
export const IN_PART: Readonly<Record<string, MemberForm>> = {
  minimalStep: shownIn(picked('amount', 'currency')),
  tenderPeriod: shownIn(picked('startDate')),
};

/** Results or addresses of an auction: the old name of the list is read, and the echo of the record's date passed over. */
export function readAuction(data: JsonObject): RequestReading {
  const { dateModified: _echo, bidders, ...rest } = data;
  if (bidders === undefined) return { data: rest };
  const counts = agreed(rest['bids'] === undefined ? [bidders] : [bidders, rest['bids']]);
  if (counts !== undefined) return { data: { ...rest, bids: counts.value } };
  return { refused: invalid([{ location: 'body', name: 'bids', description: [...CONFLICT] }]) };
}
