import { isJsonObject, type JsonObject } from '@procurement/contracts/reading/json-object';

/** What a PATCH does: publishes addresses, reports results, or neither (bids-awards-auction.md 2.7). */
export type PatchKind = 'addresses' | 'results' | 'none';

/** Members, at any depth, that make a PATCH a publication of addresses. */
const ADDRESS_MEMBERS: ReadonlySet<string> = new Set(['auctionUrl', 'lots', 'participationUrl']);

/**
 * The kind of a PATCH by the members of its body (canonical names; null counts as absent). In segment 2.5 a PATCH never
 * reports: its values are those that the client read, and are ignored (bids-awards-auction.md 2.5).
 */
export function patchKindOf(data: JsonObject, segment: string): PatchKind {
  if (holdsAddress(data)) return 'addresses';
  return segment !== '2.5' && asList(data['bids']).some(holdsValue) ? 'results' : 'none';
}

function holdsAddress(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsAddress);
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(
    ([name, inner]) => inner !== null && (ADDRESS_MEMBERS.has(name) || holdsAddress(inner)),
  );
}

/** Whether the bid or one of its lot values has a `value`. The `value` of a parameter does not count. */
function holdsValue(bid: unknown): boolean {
  if (!isJsonObject(bid)) return false;
  return [bid, ...asList(bid['lotValues'])].some(
    (holder) => isJsonObject(holder) && holder['value'] !== undefined && holder['value'] !== null,
  );
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
