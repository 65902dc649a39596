import { mapString, type ValueRewriter } from '../json/json-rewriter.ts';

/**
 * Canonical bid status to wire status on segments 2.3, 0 and 0.1 (generations.md 4, bids-awards-auction.md 5.1).
 * Depends on the bid alone. A status that is not listed becomes `registration`.
 */
const WIRE_STATUS: Readonly<Record<string, string>> = {
  draft: 'draft',
  invalid: 'invalidBid',
  'invalid.pre-qualification': 'invalidBid',
  unsuccessful: 'invalidBid',
  cancelled: 'invalidBid',
};

/** Segment 2.3 has drafts. On 0 and 0.1 a draft is shown as `registration`, and cannot be created. */
export type DraftSupport = 'with-drafts' | 'without-drafts';

/**
 * Encodes a canonical status: `active` and every unknown status become `registration`, and so does a draft on 0 and
 * 0.1.
 */
export function bidStatusEncoder(drafts: DraftSupport): ValueRewriter {
  return mapString((status) =>
    status === 'draft' && drafts === 'without-drafts' ? 'registration' : (WIRE_STATUS[status] ?? 'registration'),
  );
}

export type StatusDecodeResult =
  | { readonly kind: 'set'; readonly status: unknown }
  | { readonly kind: 'drop' }
  | { readonly kind: 'refused'; readonly message: string };

const ACTIVE_STATUSES: ReadonlySet<string> = new Set(['validBid', 'active']);

/**
 * Decodes the status of a request. In a change `registration` is dropped, because a client that sends back what it read
 * must not publish a draft; `invalidBid` and `draft` pass unchanged, because their meaning depends on the stored bid,
 * which the service has. Any other status is refused with the list of this generation. Only 2.3 can create a draft.
 */
export function decodeBidStatus(
  status: unknown,
  operation: 'create' | 'change',
  drafts: DraftSupport,
): StatusDecodeResult {
  if (typeof status !== 'string') return { kind: 'set', status };
  if (status === 'registration') return operation === 'create' ? { kind: 'set', status: 'active' } : { kind: 'drop' };
  if (ACTIVE_STATUSES.has(status)) return { kind: 'set', status: 'active' };
  if (status === 'draft' && (drafts === 'with-drafts' || operation === 'change')) return { kind: 'set', status };
  if (status === 'invalidBid' && operation === 'change') return { kind: 'set', status };
  return { kind: 'refused', message: "Value must be one of ['registration', 'validBid', 'invalidBid']." };
}
