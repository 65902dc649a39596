import type { BidsSealFact } from '@procurement/contracts/events/bid.events';
import { formatServerDate, parseInstant, type Instant } from '@procurement/contracts/reading/instant';
import { omitEmpty } from '@procurement/domain/omit-empty';
import type { StoredLot, StoredTender, TenderStatus } from '@procurement/contracts/resources/tender';
import { deepEqual } from '@procurement/domain/equality';
import { openAuctions, planningIsDue } from './auction-period.ts';
import { advanceComplaints } from './complaint.clock.ts';
import { activeLots, lotIsOpen, lotsOf } from '@procurement/domain/lots';
import { bidCount } from './bidding.ts';
import {
  moveToStatus,
  hasCome,
  withTenderStatus,
  completeIfDue,
  statusOfLots,
  withLotStatus,
} from './tender.completion.ts';
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
 * Applies a clock tick or an event of another service (tenders.md 8.2). Such an input cannot be refused. An input that does not
 * fit the state, for example a repeat, has no effect.
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
    case 'RemoveDocuments':
      return state.documents === undefined ? [] : [changed({ documents: undefined })];
    case 'SealBids':
      return applySealedBids(state, input, meta);
    case 'OpenBids':
      return openBids(state, input, meta);
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
 * One step of the clock: changes due complaints, then at most one status. The caller repeats it until there is no event. The start
 * and the expected end of an auction change no state; they only change the view.
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

/** Sets the planned start of an auction, if it still has to be planned (tenders.md 9.3). */
function planAuction(
  state: TenderState,
  fact: Extract<ExternalInput, { type: 'PlanAuction' }>,
  { now, settings }: DecisionContext,
): readonly TenderEvent[] {
  const { lot, startDate } = fact;
  if (isLate(state, fact)) return [];
  const auction = openAuctions(state).find((one) => one.lot === lot);
  if (state.bidding.phase === 'opening') return [];
  if (auction === undefined || !planningIsDue(auction, state.document, now, settings)) return [];
  const auctionPeriod = { ...auction.period, startDate };
  if (lot === undefined)
    return [changed({ document: { ...state.document, auctionPeriod }, ...raisedVersion(state, fact) })];
  const lots = lotsOf(state.document).map((one) => (one.id === lot ? { ...one, auctionPeriod } : one));
  return [changed({ document: { ...state.document, lots }, ...raisedVersion(state, fact) })];
}

/** Sets the address of an auction. In a tender with lots each auction has its own (bids-awards-auction.md 2.3). */
function publishAuction(
  state: TenderState,
  fact: Extract<ExternalInput, { type: 'PublishAuction' }>,
): readonly TenderEvent[] {
  const { lot, auctionUrl } = fact;
  if (auctionUrl === undefined || !ADDRESS_STATUSES.has(state.document.status) || isLate(state, fact)) return [];
  const lots = lotsOf(state.document).map((one) => (one.id === lot ? { ...one, auctionUrl } : one));
  const document = lot === undefined ? { ...state.document, auctionUrl } : { ...state.document, lots };
  // An address that is shown already counts too: only a newer one may replace it.
  return [changed({ document, ...raisedVersion(state, fact) })];
}

/** An address may arrive after the results of its auction, which another durable applies (decision 0064). */
const ADDRESS_STATUSES: ReadonlySet<TenderStatus> = new Set([
  'active.auction',
  'active.qualification',
  'active.awarded',
  'complete',
  'unsuccessful',
]);

type VersionedFact = Extract<ExternalInput, { type: 'PlanAuction' | 'PublishAuction' }>;

/** Each kind by itself: a newer address does not make a planned start late. */
function versionKey({ type, lot }: VersionedFact): string {
  return lot === undefined ? type : `${type} ${lot}`;
}

/** Whether a fact of this kind and auction with this version or a greater one was applied before. */
function isLate({ auctionVersions }: TenderState, fact: VersionedFact): boolean {
  return fact.version <= (auctionVersions?.[versionKey(fact)] ?? 0);
}

function raisedVersion({ auctionVersions }: TenderState, fact: VersionedFact): Pick<TenderParts, 'auctionVersions'> {
  return { auctionVersions: { ...auctionVersions, [versionKey(fact)]: fact.version } };
}

/**
 * Ends an auction (tenders.md 8.2 row 8). While other lots still have auctions, the end is shown at once. The end of the last
 * auction is shown together with bids, awards and the new status.
 */
function endAuction(state: TenderState, held: EndedAuction, { now }: DecisionContext): readonly TenderEvent[] {
  if (state.document.status !== 'active.auction' || state.bidding.phase !== 'sealed') return [];
  // The results were reported before the lot was cancelled, and arrive after it.
  if (!lotIsOpen(state.document, held.lot)) return [];
  const document = withAuctionEnd(state.document, held);
  if (auctionsAreOver({ ...state, document })) return requestAwards(state, { held }, now);
  return changedIfDifferent(state, document);
}

function withAuctionEnd(document: StoredTender, held: EndedAuction | undefined): StoredTender {
  if (held === undefined) return document;
  const withEndDate = (period: StoredTender['auctionPeriod']): StoredTender['auctionPeriod'] => ({
    ...period,
    // Results may come before the planned start. A period never ends before it starts (rulings R33).
    ...(period?.startDate !== undefined && hasCome(held.at, parseInstant(period.startDate))
      ? { startDate: held.at }
      : {}),
    endDate: held.at,
  });
  if (held.lot === undefined) return { ...document, auctionPeriod: withEndDate(document.auctionPeriod) };
  const lots = lotsOf(document).map((lot) =>
    lot.id === held.lot ? { ...lot, auctionPeriod: withEndDate(lot.auctionPeriod) } : lot,
  );
  return { ...document, lots };
}

/** Applies the sealed set: the tender goes to auction, to qualification, or is unsuccessful (tenders.md 8.2 rows 5 to 7, 8.3). */
function applySealedBids(
  before: TenderState,
  { bids, seal }: Extract<ExternalInput, { type: 'SealBids' }>,
  { now, settings }: DecisionContext,
): readonly TenderEvent[] {
  if (before.bidding.phase !== 'closing' || before.document.status !== 'active.tendering') return [];
  const bidding = { phase: 'sealed', bids } as const;
  const state = { ...before, document: withSeal(before.document, seal), bidding };
  const row = transitionBy('bids sealed', state);
  // At most one bid in each competition: bids and awards are requested, and shown together with the new status.
  if (row === undefined) return requestAwards(before, { bidding, document: state.document }, now);
  const document = withoutUnauctionedLots(state, now);
  return [changed({ bidding, document: moveToStatus(document, row.to, now, settings) })];
}

/** Adds the seal of the bids. The first one stays: it is what everybody has seen since the closing. */
function withSeal(document: StoredTender, seal: BidsSealFact | undefined): StoredTender {
  if (seal === undefined || document.bidsSeal !== undefined) return document;
  return { ...document, bidsSeal: { date: seal.at, hash: `sha256:${seal.hash}` } };
}

/** Removes the planned start of lots without an auction, and ends lots without bids (tenders.md 8.2 rows 5 to 7). */
function withoutUnauctionedLots({ document, bidding }: TenderParts, now: Instant): StoredTender {
  if (lotsOf(document).length === 0) return bidCount(bidding) >= 2 ? document : withoutAuctionStart(document);
  const lots = lotsOf(document).map((lot): StoredLot => {
    const count = bidCount(bidding, lot.id);
    if (lot.status !== 'active' || count >= 2) return lot;
    return count === 0 ? withLotStatus(withoutAuctionStart(lot), 'unsuccessful', now) : withoutAuctionStart(lot);
  });
  return { ...document, lots };
}

/** Removes the planned start, and the period if it is empty then. */
function withoutAuctionStart<T extends Pick<StoredTender, 'auctionPeriod'>>(holder: T): T {
  return omitEmpty({ ...holder, auctionPeriod: { ...holder.auctionPeriod, startDate: undefined } });
}

/** Requests the opening of bids and the first awards. The view does not change until both have arrived. */
export function requestAwards(state: TenderState, parts: Partial<TenderParts>, now: Instant): readonly TenderEvent[] {
  const next = { ...state, ...parts };
  const bidding = { phase: 'opening', bids: 'bids' in next.bidding ? next.bidding.bids : [] } as const;
  return [changed({ ...parts, bidding }), { type: 'QualificationDue', at: formatServerDate(now) }];
}

/** Replaces awards and contracts, and updates the status (tenders.md 8.2 rows 6, 8, 10 to 16). Ignores an older version. */
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

/**
 * Opened bids never change, so a repeat has no effect. Others come when a tender has lost its copy, or their owner was restored alone and its
 * loss was accepted.
 */
function openBids(
  state: TenderState,
  { bids, seal }: Extract<ExternalInput, { type: 'OpenBids' }>,
  context: DecisionContext,
): readonly TenderEvent[] {
  if (state.bids !== undefined && deepEqual(withoutDocuments(state.bids), withoutDocuments(bids))) return [];
  if (state.bidding.phase === 'opening')
    return applyOpening(state, { bids, document: withSeal(state.document, seal) }, context);
  return state.bidding.phase === 'opened' ? [changed({ bids })] : [];
}

/** Without their documents, which the documents service publishes by itself. */
function withoutDocuments(bids: NonNullable<TenderParts['bids']>): readonly unknown[] {
  return bids.map(({ documents: _documents, ...content }) => content);
}

/** Bids and awards arrive by different events, in any order. The tender leaves its status when both are there. */
function applyOpening(
  state: TenderState,
  parts: Partial<TenderParts>,
  { now, settings }: DecisionContext,
): readonly TenderEvent[] {
  const next = { ...state, ...parts };
  const haveArrived = next.bids !== undefined && next.awards !== undefined;
  const row = haveArrived ? transitionBy('awards known', next) : undefined;
  if (row === undefined) return [changed(parts)];
  const wasHeld = next.document.status === 'active.auction';
  const opened = wasHeld ? withAuctionEnd(next.document, next.held) : withoutUnauctionedLots(next, now);
  const bidding = { phase: 'opened', bids: 'bids' in next.bidding ? next.bidding.bids : [] } as const;
  // The lots with bids may have been cancelled since the opening was requested (row 18).
  const isOver = lotsOf(opened).length > 0 && activeLots(opened).length === 0;
  const document = isOver
    ? moveToStatus(opened, statusOfLots(lotsOf(opened), row.to), now, settings)
    : withAwardPeriod(withTenderStatus({ ...opened, awardPeriod: undefined }, row.to, now), now);
  return [changed({ ...parts, bidding, document, held: undefined })];
}

/** `awardPeriod` begins with the first award, ends when no award is pending, and reopens when one is (rows 6, 10, 12). */
function withAwardPeriod(document: StoredTender, now: Instant): StoredTender {
  const date = formatServerDate(now);
  const { startDate = date } = document.awardPeriod ?? {};
  const awardPeriod = document.status === 'active.awarded' ? { startDate, endDate: date } : { startDate };
  return deepEqual(awardPeriod, document.awardPeriod) ? document : { ...document, awardPeriod };
}

/** Requests awards when no auction is left after the cancellation of a lot during the auction (tenders.md 8.2 row 9). */
export function afterLotCancelled(
  state: TenderState,
  parts: Partial<TenderParts>,
  now: Instant,
): readonly TenderEvent[] {
  const isOver = state.bidding.phase === 'sealed' && auctionsAreOver({ ...state, ...parts });
  return isOver ? requestAwards(state, parts, now) : [changed(parts)];
}
