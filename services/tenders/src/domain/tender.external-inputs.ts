import { formatServerDate, type Instant } from '@procurement/contracts/reading/instant';
import { omitEmpty } from '@procurement/domain/omit-empty';
import type { StoredLot, StoredTender } from '@procurement/contracts/resources/tender';
import { deepEqual } from '@procurement/domain/equality';
import { openAuctions, planningIsDue } from './auction-period.ts';
import { advanceComplaints } from './complaint.clock.ts';
import { lotsOf } from '@procurement/domain/lots';
import { bidCount } from './bidding.ts';
import { moveToStatus, hasCome, withTenderStatus, completeIfDue, withLotStatus } from './tender.completion.ts';
import { dueAt } from './tender.timers.ts';
import { auctionsAreOver, transitionBy } from './tender.transitions.ts';
import type {
  EndedAuction,
  ApplyExternalInput,
  TenderEvent,
  ExternalInput,
  TenderParts,
  TenderSettings,
  TenderState,
} from './tender.ts';

interface DecisionContext {
  readonly now: Instant;
  readonly settings: TenderSettings;
}

/**
 * What becomes of a tender when time passes or a sibling tells what has happened there (tenders.md 8.2). A fact cannot be
 * refused, only found irrelevant: then nothing happens.
 */
export function applyExternalInput(state: TenderState, { input, meta }: ApplyExternalInput): readonly TenderEvent[] {
  switch (input.type) {
    case 'Tick':
      return tick(state, meta);
    case 'MoveClock':
      return [changed({ clockShift: state.clockShift + input.byMicros })];
    case 'PlanAuction':
      return planAuction(state, input, meta);
    case 'PublishAuction':
      return publishAuction(state, input);
    case 'EndAuction':
      return endAuction(state, input.held, meta);
    case 'ReplaceDocuments':
      return input.facts.version <= (state.documents?.version ?? 0) ? [] : [changed({ documents: input.facts })];
    case 'SealBids':
      return applySealedBids(state, input.bids, meta);
    case 'OpenBids':
      return state.bidding.phase === 'opening' ? applyOpening(state, { bids: input.bids }, meta) : [];
    case 'ReplaceAwards':
      return applyAwards(state, input.facts, meta);
    default:
      return input satisfies never;
  }
}

function changed(parts: Partial<TenderParts>): TenderEvent {
  return { type: 'TenderChanged', parts };
}

/**
 * One step of the clock: complaints move, then at most one change of status. Whoever runs the clock repeats it until nothing
 * happens any more. The beginning and the expected end of an auction change nothing here, only what is shown from then on.
 */
export function tick(state: TenderState, { now, settings }: DecisionContext): readonly TenderEvent[] {
  const due = dueAt(state, now, settings);
  if (due === undefined || due > now) return [];
  const complaints = advanceComplaints(state, now, settings);
  const document = complaints === undefined ? state.document : { ...state.document, complaints };
  switch (document.status) {
    case 'active.enquiries': {
      const begins = document.tenderPeriod?.startDate ?? document.enquiryPeriod?.endDate;
      const row =
        begins !== undefined && hasCome(begins, now) ? transitionBy('tick', { ...state, document }) : undefined;
      return changedIfDifferent(state, row === undefined ? document : withTenderStatus(document, row.to, now));
    }
    case 'active.tendering': {
      const { endDate } = document.tenderPeriod ?? {};
      if (state.bidding.phase !== 'open' || endDate === undefined || !hasCome(endDate, now)) {
        return changedIfDifferent(state, document);
      }
      return [changed({ document, bidding: { phase: 'closing' } }), { type: 'TenderingEnded', endDate }];
    }
    default:
      return changedIfDifferent(state, completeIfDue({ ...state, document }, now, settings));
  }
}

function changedIfDifferent(state: TenderState, document: StoredTender): readonly TenderEvent[] {
  return deepEqual(document, state.document) ? [] : [changed({ document })];
}

/** A place in the plan, if this auction still waits for one (tenders.md 9.3). */
function planAuction(
  state: TenderState,
  { lot, startDate }: Extract<ExternalInput, { type: 'PlanAuction' }>,
  { now, settings }: DecisionContext,
): readonly TenderEvent[] {
  const auction = openAuctions(state).find((one) => one.lot === lot);
  if (state.bidding.phase === 'opening') return [];
  if (auction === undefined || !planningIsDue(auction, state.document, now, settings)) return [];
  const auctionPeriod = { ...auction.period, startDate };
  if (lot === undefined) return [changed({ document: { ...state.document, auctionPeriod } })];
  const lots = lotsOf(state.document).map((one) => (one.id === lot ? { ...one, auctionPeriod } : one));
  return [changed({ document: { ...state.document, lots } })];
}

/** Where an auction can be watched; of a tender with lots each has its own (bids-awards-auction.md 2.3). */
function publishAuction(
  state: TenderState,
  { lot, auctionUrl }: Extract<ExternalInput, { type: 'PublishAuction' }>,
): readonly TenderEvent[] {
  if (auctionUrl === undefined || state.document.status !== 'active.auction') return [];
  if (lot === undefined) return changedIfDifferent(state, { ...state.document, auctionUrl });
  const lots = lotsOf(state.document).map((one) => (one.id === lot ? { ...one, auctionUrl } : one));
  return changedIfDifferent(state, { ...state.document, lots });
}

/**
 * The results of an auction are in (tenders.md 8.2 row 8). While other lots are still to be auctioned its end is shown;
 * the last end is shown together with bids, awards and the new status.
 */
function endAuction(state: TenderState, held: EndedAuction, { now }: DecisionContext): readonly TenderEvent[] {
  if (state.document.status !== 'active.auction' || state.bidding.phase !== 'sealed') return [];
  const document = withAuctionEnd(state.document, held);
  if (auctionsAreOver({ ...state, document })) return requestAwards(state, { held }, now);
  return changedIfDifferent(state, document);
}

function withAuctionEnd(document: StoredTender, held: EndedAuction | undefined): StoredTender {
  if (held === undefined) return document;
  const withEndDate = (period: StoredTender['auctionPeriod']): StoredTender['auctionPeriod'] => ({
    ...period,
    endDate: held.at,
  });
  if (held.lot === undefined) return { ...document, auctionPeriod: withEndDate(document.auctionPeriod) };
  const lots = lotsOf(document).map((lot) =>
    lot.id === held.lot ? { ...lot, auctionPeriod: withEndDate(lot.auctionPeriod) } : lot,
  );
  return { ...document, lots };
}

/** The sealed set is known: auction, or nothing to auction, or nobody bid (tenders.md 8.2 rows 5 to 7, 8.3). */
function applySealedBids(
  state: TenderState,
  bids: Extract<ExternalInput, { type: 'SealBids' }>['bids'],
  { now, settings }: DecisionContext,
): readonly TenderEvent[] {
  if (state.bidding.phase !== 'closing' || state.document.status !== 'active.tendering') return [];
  const bidding = { phase: 'sealed', bids } as const;
  const row = transitionBy('bids sealed', { ...state, bidding });
  // One bid, or one in each lot: bids and awards are awaited, and shown together with the change.
  if (row === undefined) return requestAwards(state, { bidding }, now);
  const document = withoutUnauctionedLots({ ...state, bidding }, now);
  return [changed({ bidding, document: moveToStatus(document, row.to, now, settings) })];
}

/** Lots that are not auctioned lose their place in the plan, and those that nobody bid for are over (rows 5 to 7). */
function withoutUnauctionedLots({ document, bidding }: TenderParts, now: Instant): StoredTender {
  if (lotsOf(document).length === 0) return bidCount(bidding) >= 2 ? document : withoutAuctionStart(document);
  const lots = lotsOf(document).map((lot): StoredLot => {
    const count = bidCount(bidding, lot.id);
    if (lot.status !== 'active' || count >= 2) return lot;
    return count === 0 ? withLotStatus(withoutAuctionStart(lot), 'unsuccessful', now) : withoutAuctionStart(lot);
  });
  return { ...document, lots };
}

/** Without the planned start; what is then empty is left out. */
function withoutAuctionStart<T extends Pick<StoredTender, 'auctionPeriod'>>(holder: T): T {
  return omitEmpty({ ...holder, auctionPeriod: { ...holder.auctionPeriod, startDate: undefined } });
}

/** Calls for the opening of bids and the first awards. What is shown stays as it is until both are known. */
export function requestAwards(state: TenderState, parts: Partial<TenderParts>, now: Instant): readonly TenderEvent[] {
  const next = { ...state, ...parts };
  const bidding = { phase: 'opening', bids: 'bids' in next.bidding ? next.bidding.bids : [] } as const;
  return [changed({ ...parts, bidding }), { type: 'QualificationDue', at: formatServerDate(now) }];
}

/** Awards and contracts as their service has them now; the tender follows (rows 6, 8, 10 to 16). */
function applyAwards(
  state: TenderState,
  facts: NonNullable<TenderParts['awards']>,
  context: DecisionContext,
): readonly TenderEvent[] {
  if (facts.version <= (state.awards?.version ?? 0)) return [];
  if (state.bidding.phase === 'opening') return applyOpening(state, { awards: facts }, context);
  const next = { ...state, awards: facts };
  const row = transitionBy('awards changed', next);
  const moved =
    row === undefined
      ? next.document
      : withAwardPeriod(withTenderStatus(next.document, row.to, context.now), context.now);
  return [
    changed({ awards: facts, document: completeIfDue({ ...next, document: moved }, context.now, context.settings) }),
  ];
}

/** Bids and awards arrive by different ways; the tender enters qualification when both are there, and not before. */
function applyOpening(
  state: TenderState,
  parts: Partial<TenderParts>,
  { now }: DecisionContext,
): readonly TenderEvent[] {
  const next = { ...state, ...parts };
  const areKnown = next.bids !== undefined && next.awards !== undefined;
  const row = areKnown ? transitionBy('awards known', next) : undefined;
  if (row === undefined) return [changed(parts)];
  const wasHeld = next.document.status === 'active.auction';
  const document = wasHeld ? withAuctionEnd(next.document, next.held) : withoutUnauctionedLots(next, now);
  const bidding = { phase: 'opened', bids: 'bids' in next.bidding ? next.bidding.bids : [] } as const;
  return [
    changed({
      ...parts,
      bidding,
      document: withAwardPeriod(withTenderStatus({ ...document, awardPeriod: undefined }, row.to, now), now),
      held: undefined,
    }),
  ];
}

/** Begins with the first award, ends when none is pending, and is open again when one is (rows 6, 10, 12). */
function withAwardPeriod(document: StoredTender, now: Instant): StoredTender {
  const date = formatServerDate(now);
  const { startDate = date } = document.awardPeriod ?? {};
  const awardPeriod = document.status === 'active.awarded' ? { startDate, endDate: date } : { startDate };
  return deepEqual(awardPeriod, document.awardPeriod) ? document : { ...document, awardPeriod };
}

/** After a lot was cancelled in the middle of the auction: awards are due when nothing is left to be auctioned (row 9). */
export function afterLotCancelled(
  state: TenderState,
  parts: Partial<TenderParts>,
  now: Instant,
): readonly TenderEvent[] {
  const isOver = state.bidding.phase === 'sealed' && auctionsAreOver({ ...state, ...parts });
  return isOver ? requestAwards(state, parts, now) : [changed(parts)];
}
