import { mapString, type ValueRewriter } from '../json/json-rewriter.ts';

/**
 * Bid status between the canonical words and those of segments 2.3, 0 and 0.1 (generations.md 4, bids-awards-auction.md
 * 5.1). A function of the bid's own status alone, so that a codec needs nothing but the bid.
 */
const WIRE_STATUS: Readonly<Record<string, string>> = {
  draft: 'draft',
  invalid: 'invalidBid',
  'invalid.pre-qualification': 'invalidBid',
  unsuccessful: 'invalidBid',
  cancelled: 'invalidBid',
};

/** The generations that know of drafts: on the others they read like any bid, and cannot be made. */
export type DraftSupport = 'with-drafts' | 'without-drafts';

/** The word that old segments show; `active` and every later word read `registration`, and so do drafts on 0 and 0.1. */
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
 * The canonical word for what a request says. On a change an echoed `registration` is dropped, so that it can never
 * publish a draft; `invalidBid` and `draft` on a change go on as they are, because only the stored bid tells what they
 * mean. Refused: every other word, in this generation's own list; a draft is made on 2.3 only.
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
