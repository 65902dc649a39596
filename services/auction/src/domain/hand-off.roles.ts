import { anonymousProblem } from '@procurement/domain/admission';
import type { Actor } from '@procurement/contracts/api/actor';
import { problem, type Problem } from '@procurement/contracts/problems/problems';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { PatchKind } from './hand-off.patch-kind.ts';
import type { HandOffMeta } from './hand-off.ts';

const AUCTION_GROUPS: ReadonlySet<string> = new Set(['auction', 'admins']);

/** Whether the caller is the auction component, or somebody with every permission (bids-awards-auction.md 0.2). */
export function isAuctionCaller({ group }: Actor): boolean {
  return AUCTION_GROUPS.has(group);
}

/**
 * Why the caller may not read the record: segment 2.5 shows it to the auction only. Older segments show it to anybody, masked
 * or not, because the interface document says so of every GET (2.2).
 */
export function readRefusal(actor: Actor): Problem | undefined {
  return actor.segment !== '2.5' || isAuctionCaller(actor) ? undefined : problem('request.forbidden');
}

/** Why the caller may not write at all, whatever the request holds: 401 or 403. */
export function writeRefusal(method: 'PATCH' | 'POST', tender: TenderFacts, meta: HandOffMeta): Problem | undefined {
  const anonymous = anonymousProblem(meta.actor);
  if (anonymous !== undefined) return anonymous;
  if (isAuctionCaller(meta.actor)) return undefined;
  return method === 'PATCH' && mayReportWithoutAuction(tender, meta) ? undefined : problem('request.forbidden');
}

/** Why the caller may not make this kind of PATCH: whoever is not the auction reports, and publishes no addresses. */
export function patchKindRefusal(patchKind: PatchKind, { actor }: HandOffMeta): Problem | undefined {
  return isAuctionCaller(actor) || patchKind === 'results' ? undefined : problem('request.forbidden');
}

/**
 * Decision (2.7): in the sandbox the owner of a test tender may report by the form of the interface document, so that a broker
 * can walk through a procedure without an auction component. Where older segments run without guards, the owner of any
 * tender may do so as long as it has no effect (rulings R3).
 */
function mayReportWithoutAuction({ mode, status }: TenderFacts, { actor, ownsTender, settings }: HandOffMeta): boolean {
  if (!ownsTender || actor.segment === '2.5') return false;
  if (settings.sandbox && mode === 'test') return true;
  return settings.legacyGuardsOpen && status !== 'active.auction';
}
