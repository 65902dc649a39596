import { addMicros, instantOf, SECOND, type Instant } from '@procurement/contracts/reading/instant';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { AuctionRef } from './hand-off.ts';

/** What this service does itself for an auction that nobody holds. */
export type TaskKind = 'publish' | 'report';

export interface SpecialTask extends AuctionRef {
  readonly kind: TaskKind;
  /** In the time that the tender lives in. */
  readonly dueAt: Instant;
}

/** Tools that look every ten seconds must find the tender in its auction (clients.md). */
const AUCTION_VISIBLE_MICROS = 12 * SECOND;

type SpecialMode = 'no-auction' | 'fast-forward';

/** Only in the sandbox, and at the end of the text (tenders.md 7.4). */
function specialModeOf({ submissionMethodDetails = '' }: TenderFacts, sandbox: boolean): SpecialMode | undefined {
  if (!sandbox) return undefined;
  const details = submissionMethodDetails.trimEnd();
  if (details.endsWith('quick(mode:no-auction)')) return 'no-auction';
  return details.endsWith('quick(mode:fast-forward)') ? 'fast-forward' : undefined;
}

/** Whether this service may have something to do itself for that tender. */
export function hasSpecialMode(facts: TenderFacts, sandbox: boolean): boolean {
  return specialModeOf(facts, sandbox) !== undefined;
}

/**
 * What is to be done for the auctions of a tender, each when (tenders.md 7.4). Decision: "when the auction would be
 * scheduled" is when the tender is in its auction and the planner has given a start, which for these tenders it has done
 * before; the report then waits until 12 seconds after the end of tendering, so that everybody sees the auction, and does
 * not wait for the start itself. Addresses of a fast-forward auction are published at once.
 */
export function specialTasks(facts: TenderFacts, sandbox: boolean): readonly SpecialTask[] {
  const mode = specialModeOf(facts, sandbox);
  const { status, tenderPeriod, lots = [], auctionPeriod } = facts;
  if (mode === undefined || status !== 'active.auction' || tenderPeriod?.endDate === undefined) return [];
  const ended = instantOf(tenderPeriod.endDate);
  const auctions = lots.length === 0 ? [{ lot: undefined, auctionPeriod }] : activeLots(lots);
  return auctions.filter(isScheduled).flatMap(({ lot }): SpecialTask[] => {
    const report: SpecialTask = { kind: 'report', lot, dueAt: addMicros(ended, AUCTION_VISIBLE_MICROS) };
    return mode === 'no-auction' ? [report] : [{ kind: 'publish', lot, dueAt: ended }, report];
  });
}

type Period = TenderFacts['auctionPeriod'];

function activeLots(
  lots: NonNullable<TenderFacts['lots']>,
): { readonly lot: string; readonly auctionPeriod: Period }[] {
  return lots.filter(({ status }) => status === 'active').map(({ id, auctionPeriod }) => ({ lot: id, auctionPeriod }));
}

/** Planned, and still to be held: only of such an auction the tender says from when on it may begin (tenders.md 9.2). */
function isScheduled({ auctionPeriod }: { readonly auctionPeriod: Period }): boolean {
  return auctionPeriod?.startDate !== undefined && auctionPeriod.shouldStartAfter !== undefined;
}

/** Id of an auction among all auctions (bids-awards-auction.md 2.11). */
function auctionId(tenderId: string, { lot }: AuctionRef): string {
  return lot === undefined ? tenderId : `${tenderId}_${lot}`;
}

/** Where an auction would be watched, and where its bidders would take part, at the front that lives at `base`. */
export function makeAuctionUrl(base: string, tenderId: string, of: AuctionRef): string {
  return `${base.replace(/\/+$/, '')}/tenders/${auctionId(tenderId, of)}`;
}

/** The personal link of a bidder; `hash` is the secret in it. */
export function makeParticipationUrl(auction: string, bidId: string, hash: string): string {
  return `${auction}/login?bidder_id=${bidId}&hash=${hash}`;
}
