import { addMicros, parseInstant, SECOND, type Instant } from '@procurement/contracts/reading/instant';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { AuctionRef } from './hand-off.ts';

/** A task of this service for an auction without an auction component. */
export type TaskKind = 'publish' | 'report';

export interface SpecialTask extends AuctionRef {
  readonly kind: TaskKind;
  /** Tender time. */
  readonly dueAt: Instant;
}

/** Tools that poll every ten seconds must see the tender in `active.auction` (clients.md). */
const AUCTION_VISIBLE_MICROS = 12 * SECOND;

type SpecialMode = 'no-auction' | 'fast-forward';

/** The mode is at the end of the text (tenders.md 7.4). `isPlayed`: whether this service plays special modes at all. */
function specialModeOf({ submissionMethodDetails = '' }: TenderFacts, isPlayed: boolean): SpecialMode | undefined {
  if (!isPlayed) return undefined;
  const details = submissionMethodDetails.trimEnd();
  if (details.endsWith('quick(mode:no-auction)')) return 'no-auction';
  return details.endsWith('quick(mode:fast-forward)') ? 'fast-forward' : undefined;
}

/** Whether the tender can have tasks. */
export function hasSpecialMode(facts: TenderFacts, isPlayed: boolean): boolean {
  return specialModeOf(facts, isPlayed) !== undefined;
}

/**
 * The tasks of a tender in a special mode, with their times (tenders.md 7.4).
 * Tasks exist once an auction has a planned start. The report is due 12 seconds after the end of tendering, whatever the
 * start; addresses of a fast-forward auction are due when the tender is in its auction. The report is stored before that, so that
 * it does not depend on the event of the change of status.
 */
export function specialTasks(facts: TenderFacts, isPlayed: boolean): readonly SpecialTask[] {
  const mode = specialModeOf(facts, isPlayed);
  const { status, tenderPeriod, lots = [], auctionPeriod } = facts;
  const isRunning = status === 'active.auction';
  if (mode === undefined || tenderPeriod?.endDate === undefined) return [];
  if (!isRunning && !isBeforeAuction(facts)) return [];
  const ended = parseInstant(tenderPeriod.endDate);
  const auctions = lots.length === 0 ? [{ lot: undefined, auctionPeriod }] : activeLots(lots);
  return auctions.filter(isScheduled).flatMap(({ lot }): SpecialTask[] => {
    const report: SpecialTask = { kind: 'report', lot, dueAt: addMicros(ended, AUCTION_VISIBLE_MICROS) };
    const publish: SpecialTask = { kind: 'publish', lot, dueAt: ended };
    return mode === 'fast-forward' && isRunning ? [publish, report] : [report];
  });
}

/** Whether the auction of the tender can only come: its tasks wait for it. */
export function isBeforeAuction({ status }: TenderFacts): boolean {
  return status === 'active.tendering';
}

type Period = TenderFacts['auctionPeriod'];

function activeLots(
  lots: NonNullable<TenderFacts['lots']>,
): { readonly lot: string; readonly auctionPeriod: Period }[] {
  return lots.filter(({ status }) => status === 'active').map(({ id, auctionPeriod }) => ({ lot: id, auctionPeriod }));
}

/** Planned and not ended: the tender has `shouldStartAfter` only until the auction ends (tenders.md 9.2). */
function isScheduled({ auctionPeriod }: { readonly auctionPeriod: Period }): boolean {
  return auctionPeriod?.startDate !== undefined && auctionPeriod.shouldStartAfter !== undefined;
}

/** The id of an auction (bids-awards-auction.md 2.11). */
function auctionId(tenderId: string, { lot }: AuctionRef): string {
  return lot === undefined ? tenderId : `${tenderId}_${lot}`;
}

/** The public address of an auction under `base`. */
export function makeAuctionUrl(base: string, tenderId: string, of: AuctionRef): string {
  return `${base.replace(/\/+$/, '')}/tenders/${auctionId(tenderId, of)}`;
}

/** The personal link of a bidder; `hash` is the secret in it. */
export function makeParticipationUrl(auction: string, bidId: string, hash: string): string {
  return `${auction}/login?bidder_id=${bidId}&hash=${hash}`;
}
