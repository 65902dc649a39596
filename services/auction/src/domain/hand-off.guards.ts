import { isUnfinished } from '@procurement/domain/tender-status';
import { problem, type Problem, allowing } from '@procurement/contracts/problems/problems';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { Actor } from '@procurement/contracts/api/actor';
import type { HandOffSettings, HandOffCommand } from './hand-off.ts';

/** Statuses in which recorded results may be reported again (bids-awards-auction.md 2.5). */
const REPEATABLE_STATUSES: ReadonlySet<string> = new Set(['active.auction', 'active.qualification', 'active.awarded']);

/** The only status in which a write has an effect. */
export const AUCTION_STATUS = 'active.auction';

/**
 * Whether the status of the tender is not checked for this caller: older segments with open guards (rulings R3). Never for a tender
 * without auction (rulings R44).
 */
export function isUnguarded(
  { status, hasAuction }: Pick<TenderFacts, 'status' | 'hasAuction'>,
  { segment }: Actor,
  { legacyGuardsOpen }: HandOffSettings,
): boolean {
  return hasAuction !== false && legacyGuardsOpen && segment !== '2.5' && isUnfinished(status);
}

/** The refusal to read the record. Components rely on the start of its text (bids-awards-auction.md 2.2). */
export function readStateRefusal(
  tender: Pick<TenderFacts, 'status' | 'hasAuction'>,
  actor: Actor,
  settings: HandOffSettings,
): Problem | undefined {
  const { status } = tender;
  if (status === AUCTION_STATUS || isUnguarded(tender, actor, settings)) return undefined;
  return allowing(problem('auction.get-status', { status }), { allowedStatuses: [AUCTION_STATUS] });
}

/** The refusal to write by the status of the tender, then by that of the lot in the path (bids-awards-auction.md 2.4). */
export function writeStateRefusal(tender: TenderFacts, command: HandOffCommand): Problem | undefined {
  const operation = command.kind === 'results' ? 'report' : 'urls';
  const { status, lots = [] } = tender;
  if (status !== AUCTION_STATUS) {
    return allowing(problem(`auction.${operation}-status`, { status }), { allowedStatuses: [AUCTION_STATUS] });
  }
  const lot = lots.find(({ id }) => id === command.lot);
  return lot === undefined || lot.status === 'active' ? undefined : problem(`auction.${operation}-lot`);
}

/** Whether results that equal the recorded ones are accepted again; never after a cancellation. */
export function isRepeatable({ status, lots = [] }: TenderFacts, { lot }: HandOffCommand): boolean {
  return REPEATABLE_STATUSES.has(status) && lots.find(({ id }) => id === lot)?.status !== 'cancelled';
}
