import { invalid } from '@procurement/contracts/problems';
import { isObject, type JsonObject, type RequestReading } from './codec.ts';
import { agreed, CONFLICT } from './same.ts';

/** Members of the auction record that old segments show in part (generations.md 3.9). */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  minimalStep: ['amount', 'currency'],
  tenderPeriod: ['startDate'],
};

/** A member of the canonical auction record as segments 2.3 and 0 show it. */
export function shownAuctionMember(name: string, value: unknown): unknown {
  const parts = PARTS[name];
  return parts === undefined || !isObject(value) ? value : pick(value, parts);
}

/** The named members of an object, those that it has. */
export function pick(value: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.filter((name) => Object.hasOwn(value, name)).map((name) => [name, value[name]]));
}

/** Whether a member of the record can need a change at all. */
export function isShownInPart(name: string): boolean {
  return PARTS[name] !== undefined;
}

/** Results or addresses of an auction: the old name of the list is read, and the echo of the record's date passed over. */
export function readAuction(data: JsonObject): RequestReading {
  const { dateModified: _echo, bidders, ...rest } = data;
  if (bidders === undefined) return { data: rest };
  const counts = agreed(rest['bids'] === undefined ? [bidders] : [bidders, rest['bids']]);
  if (counts !== undefined) return { data: { ...rest, bids: counts.value } };
  return { refused: invalid([{ location: 'body', name: 'bids', description: [...CONFLICT] }]) };
}
