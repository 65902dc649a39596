type JsonObject = Readonly<Record<string, unknown>>;

/** What a PATCH is taken for (bids-awards-auction.md 2.7). */
export type PatchKind = 'addresses' | 'results' | 'nothing';

/** Members that only whoever publishes addresses sends, however deep. */
const ADDRESS_MEMBERS: ReadonlySet<string> = new Set(['auctionUrl', 'lots', 'participationUrl']);

/**
 * Tells publishing from reporting by what the body holds, in canonical names. Decision: segment 2.5 only publishes; there
 * values are sent back with what was read, and passed over. Nulls count as absent, as everywhere.
 */
export function patchKindOf(data: JsonObject, segment: string): PatchKind {
  if (holdsAddress(data)) return 'addresses';
  return segment !== '2.5' && listOf(data['bids']).some(holdsValue) ? 'results' : 'nothing';
}

function holdsAddress(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsAddress);
  if (!isObject(value)) return false;
  return Object.entries(value).some(
    ([name, inner]) => inner !== null && (ADDRESS_MEMBERS.has(name) || holdsAddress(inner)),
  );
}

/** Of the bid, or of one of its lots. Answers to features have a `value` as well, which is no money. */
function holdsValue(bid: unknown): boolean {
  if (!isObject(bid)) return false;
  return [bid, ...listOf(bid['lotValues'])].some(
    (holder) => isObject(holder) && holder['value'] !== undefined && holder['value'] !== null,
  );
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
