import type { Actor } from '@procurement/contracts/actor';

/**
 * What anyone but its owner may see of a bid: `open` everything, `sealed` nothing, `early` nothing either, but where no bid
 * exists the list is empty instead of refused.
 */
export type Visibility = 'early' | 'sealed' | 'open';

/** By tender status (bids-awards-auction.md 1.5). */
const BY_TENDER_STATUS: Readonly<Record<string, Visibility>> = {
  draft: 'early',
  'active.enquiries': 'early',
  'active.tendering': 'sealed',
  'active.auction': 'sealed',
  'active.qualification': 'open',
  'active.awarded': 'open',
  complete: 'open',
  unsuccessful: 'open',
  cancelled: 'open',
};

/**
 * A status that this version does not know is sealed: the mistake that can be repaired. Where older segments run without
 * guards (rulings R3) they read bids in any status; segment 2.5 never does.
 */
export function visibilityOf(tenderStatus: string, actor: Actor, legacyGuardsOpen: boolean): Visibility {
  if (legacyGuardsOpen && actor.segment !== '2.5') return 'open';
  return BY_TENDER_STATUS[tenderStatus] ?? 'sealed';
}
