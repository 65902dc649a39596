import { formatLocalDate, type Instant } from '@procurement/contracts/reading/instant';
import type { JsonObject } from '@procurement/contracts/reading/json-object';
import type { Auction, Label, PriceLine } from './auction.ts';
import { pricesInOrder } from './auction.evolve.ts';
import { nextTimer } from './auction.timers.ts';
import { hasFeatures } from './features.ts';
import { worstFirst } from './ordering.ts';
import { announcementStage, roundAndTurn, preAnnouncementStage, stageKind, type StageKind } from './timetable.ts';

/** A line of a table, as everybody sees it. */
interface ShownPrice {
  readonly bidder_id: string;
  readonly label: Label;
  readonly amount?: number;
  readonly time?: string;
  readonly amount_features?: string;
  readonly coeficient?: string;
}

export interface ShownStage extends Partial<ShownPrice> {
  readonly type: StageKind;
  readonly start: string;
  readonly changed?: true;
}

/** The changing part of the public document: one frame (auction-room.md 9.3). */
export interface PublicState {
  readonly seq: number;
  readonly now: string;
  readonly phase: Auction['phase'] | 'conflict';
  readonly start_at: string;
  readonly endDate: string;
  readonly current_stage: number;
  readonly stages: readonly ShownStage[];
  readonly initial_bids: readonly ShownPrice[];
  readonly results: readonly ShownPrice[];
  readonly shifts: readonly { readonly from: string; readonly until: string; readonly seconds: number }[];
  /** The next boundary. */
  readonly timer?: string;
}

/** Shown instead of the stage. */
const CURRENT_STAGE_OF_PHASE: Partial<Record<Auction['phase'], number>> = { cancelled: -100, missed: -101 };
const NO_LABEL: Label = { uk: '', en: '', ru: '' };

/** What everybody sees that may change. Depends on nothing that was posted in the open turn. */
export function publicState(auction: Auction, now: Instant): PublicState {
  const { starts } = auction;
  const start = starts[0] ?? auction.plan.startAt;
  const timer = nextBoundary(auction);
  const present = presentOrder(auction);
  return {
    seq: auction.publicSeq,
    now: formatLocalDate(now),
    phase: auction.conflict ? 'conflict' : auction.phase,
    start_at: formatLocalDate(start),
    endDate: formatLocalDate(starts[preAnnouncementStage(auction.bids.length)] ?? start),
    current_stage: CURRENT_STAGE_OF_PHASE[auction.phase] ?? auction.currentStage,
    stages: starts.map((_start, stage) => shownStage(auction, stage, present)),
    initial_bids: auction.initialBids.map((line) => shownPrice(auction, line)),
    results: presentResults(auction, present).map((line) => shownPrice(auction, line)),
    shifts: auction.shifts.map(({ from, until, seconds }) => ({
      from: formatLocalDate(from),
      until: formatLocalDate(until),
      seconds,
    })),
    ...(timer === undefined ? {} : { timer: formatLocalDate(timer) }),
  };
}

/** The whole document that pages and other front ends read. */
export function publicDocument(auction: Auction, now: Instant): JsonObject {
  const { id, tenderId, lotId, tender } = auction.plan;
  return {
    ...tender.shown,
    _id: id,
    id,
    tender_id: tenderId,
    ...(lotId === undefined ? {} : { lot_id: lotId }),
    tenderID: tender.tenderID,
    auction_type: hasFeatures(auction.plan) ? 'meat' : 'default',
    features: tender.features,
    ...publicState(auction, now),
  };
}

/** The order as it would be now, without the open turn; empty before the start. */
function presentOrder(auction: Auction): readonly string[] {
  return auction.currentStage < 0 ? [] : worstFirst(auction.plan, auction.bids);
}

/** The results; until they are fixed, as the auction would end now. */
function presentResults(auction: Auction, present: readonly string[]): readonly PriceLine[] {
  return auction.results.length > 0 ? auction.results : pricesInOrder(auction.bids, present);
}

/** The next boundary. Until the results are accepted the announcement has a time, but does not begin. */
export function nextBoundary(auction: Auction): Instant | undefined {
  const announcement =
    auction.phase === 'finished' ? auction.starts[announcementStage(auction.bids.length)] : undefined;
  return nextTimer(auction)?.at ?? announcement;
}

function shownStage(auction: Auction, stage: number, present: readonly string[]): ShownStage {
  const bidders = auction.bids.length;
  const type = stageKind(bidders, stage);
  const base = { type, start: formatLocalDate(auction.starts[stage] ?? auction.plan.startAt) };
  if (type !== 'bids') return base;
  const line = lineOfTurn(auction, stage, present);
  if (line === undefined) return { ...base, bidder_id: '', label: NO_LABEL };
  return { ...base, ...shownPrice(auction, line), ...(line.changed ? { changed: true } : {}) };
}

/** A closed turn as it ended. For a turn to come, the bidder whose turn it would be now, and its price. */
function lineOfTurn(
  auction: Auction,
  stage: number,
  present: readonly string[],
): (PriceLine & { readonly changed: boolean }) | undefined {
  const closed = auction.turns.find((turn) => turn.stage === stage);
  if (closed !== undefined) return closed;
  const { round, turn } = roundAndTurn(auction.bids.length, stage);
  const order = auction.orders[round] ?? present;
  const [line] = pricesInOrder(auction.bids, order.slice(turn, turn + 1));
  return line === undefined ? undefined : { ...line, changed: false };
}

function shownPrice(auction: Auction, line: PriceLine): ShownPrice {
  const { amountFeatures, coeficient } = line;
  // With features the amounts and coefficients of the others would allow a bidder to compute its rank (auction-room.md 20, D8).
  const shows = !hasFeatures(auction.plan) || auction.currentStage >= preAnnouncementStage(auction.bids.length);
  return {
    bidder_id: line.bid,
    label: labelOf(auction, line.bid),
    ...(shows ? { amount: line.amount } : {}),
    time: line.timeText,
    ...(amountFeatures === undefined ? {} : { amount_features: amountFeatures }),
    ...(shows && coeficient !== undefined ? { coeficient } : {}),
  };
}

/** The name once it is revealed, `Bidder #n` before. */
export function labelOf(auction: Auction, bid: string): Label {
  const revealed = auction.names[bid];
  return revealed ?? numberLabel(auction.numbers[bid] ?? 0);
}

/** Labels of a bidder whose name nobody may see. */
export function numberLabel(number: number): Label {
  return { en: `Bidder #${number}`, uk: `Учасник №${number}`, ru: `Участник №${number}` };
}
