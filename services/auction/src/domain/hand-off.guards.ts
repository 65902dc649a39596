import { isFinal } from '@procurement/domain/tender-status';
import { problem, type Problem } from '@procurement/contracts/problems/problems';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { Actor } from '@procurement/contracts/api/actor';
import type { HandOffSettings, HandOffCommand } from './hand-off.ts';

/** Statuses in which results that were recorded may be reported again (bids-awards-auction.md 2.5, Decision). */
const REPEATABLE_STATUSES: ReadonlySet<string> = new Set(['active.auction', 'active.qualification', 'active.awarded']);

/** The status in which auctions are held, and the only one in which anything comes of a request. */
export const AUCTION_STATUS = 'active.auction';

/** Whether the caller's segment runs without status guards for a tender in this status (rulings R3). */
export function isUnguarded(status: string, { segment }: Actor, { legacyGuardsOpen }: HandOffSettings): boolean {
  return legacyGuardsOpen && segment !== '2.5' && !isFinal(status);
}

/** Why the record cannot be read: components rely on how this text begins (2.2). */
export function readStateRefusal(status: string, actor: Actor, settings: HandOffSettings): Problem | undefined {
  if (status === AUCTION_STATUS || isUnguarded(status, actor, settings)) return undefined;
  return problem('auction.get-status', { status });
}

/** Why nothing may be published or reported now: the status of the tender, then that of the lot in the path (2.4). */
export function writeStateRefusal(tender: TenderFacts, command: HandOffCommand): Problem | undefined {
  const operation = command.kind === 'results' ? 'report' : 'urls';
  const { status, lots = [] } = tender;
  if (status !== AUCTION_STATUS) return problem(`auction.${operation}-status`, { status });
  const lot = lots.find(({ id }) => id === command.lot);
  return lot === undefined || lot.status === 'active' ? undefined : problem(`auction.${operation}-lot`);
}

/** Whether results that equal those recorded may be reported again: never after a cancellation. */
export function isRepeatable({ status, lots = [] }: TenderFacts, { lot }: HandOffCommand): boolean {
  return REPEATABLE_STATUSES.has(status) && lots.find(({ id }) => id === lot)?.status !== 'cancelled';
}
