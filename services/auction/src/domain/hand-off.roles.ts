import { anonymousProblem } from '@procurement/domain/admission';
import type { Actor } from '@procurement/contracts/api/actor';
import { problem, type Problem } from '@procurement/contracts/problems/problems';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { PatchKind } from './hand-off.patch-kind.ts';
import type { HandOffMeta } from './hand-off.ts';

const AUCTION_GROUPS: ReadonlySet<string> = new Set(['auction', 'admins']);

/** Whether the caller is the auction component or an administrator (bids-awards-auction.md 0.2). */
export function isAuctionCaller({ group }: Actor): boolean {
  return AUCTION_GROUPS.has(group);
}

/**
 * The refusal to read the record. Segment 2.5 shows it to the auction component only. Older segments show it to every caller,
 * masked or in full, because interface.md permits every GET (bids-awards-auction.md 2.2).
 */
export function readRefusal(actor: Actor): Problem | undefined {
  return actor.segment !== '2.5' || isAuctionCaller(actor) ? undefined : problem('request.forbidden');
}

/** 401 or 403 of a caller who may not write, independent of the body. */
export function writeRefusal(method: 'PATCH' | 'POST', tender: TenderFacts, meta: HandOffMeta): Problem | undefined {
  const anonymous = anonymousProblem(meta.actor);
  if (anonymous !== undefined) return anonymous;
  if (isAuctionCaller(meta.actor)) return undefined;
  return method === 'PATCH' && mayReportWithoutAuction(tender, meta) ? undefined : problem('request.forbidden');
}

/** The refusal of a PATCH by its kind: only the auction component publishes addresses; others can only report results. */
export function patchKindRefusal(patchKind: PatchKind, { actor }: HandOffMeta): Problem | undefined {
  return isAuctionCaller(actor) || patchKind === 'results' ? undefined : problem('request.forbidden');
}

/**
 * The owner of a test tender may report by PATCH of an older segment in the sandbox, so that a broker can play a procedure without
 * an auction component (bids-awards-auction.md 2.7). Under open guards the owner of any tender may do so while it has no effect
 * (rulings R3, bids-awards-auction.md 0.4).
 */
function mayReportWithoutAuction({ mode, status }: TenderFacts, { actor, ownsTender, settings }: HandOffMeta): boolean {
  if (!ownsTender || actor.segment === '2.5') return false;
  if (settings.sandbox && mode === 'test') return true;
  return settings.legacyGuardsOpen && status !== 'active.auction';
}
