import { addMicros, formatLocalDate, parseInstant, SECOND } from '@procurement/contracts/reading/instant';
import type { Auction, AuctionPlan, BidState, OfferOutcome, PriceLine } from './auction.ts';
import { IS_PUBLIC, type AuctionEvent, type EventOf, type EventType } from './events.ts';
import { printedFeatures } from './features.ts';
import { announcementStage, stageStarts } from './timetable.ts';

/** Offer ids that are remembered for each bidder: a page repeats the last one, a robot a few. */
const OFFER_IDS_MAX = 50;

/** The state after an event. The first event of a log is `AuctionPlanned`. */
export function evolve(auction: Auction | undefined, event: AuctionEvent): Auction {
  const seq = (auction?.seq ?? 0) + 1;
  const publicSeq = (auction?.publicSeq ?? 0) + (IS_PUBLIC[event.type] ? 1 : 0);
  return { ...changed(auction, event), seq, publicSeq };
}

/** The state after several events; undefined for none. */
export function fold(auction: Auction | undefined, events: readonly AuctionEvent[]): Auction | undefined {
  let state = auction;
  for (const event of events) state = evolve(state, event);
  return state;
}

function changed(auction: Auction | undefined, event: AuctionEvent): Auction {
  if (event.type === 'AuctionPlanned') return plannedAuction(event.plan);
  if (auction === undefined) throw new Error(`the log begins with ${event.type}`);
  // Safe cast: the table has under each type the function of that type.
  const apply = CHANGES[event.type] as (auction: Auction, event: AuctionEvent) => Auction;
  return apply(auction, event);
}

type Changes = {
  readonly [T in Exclude<EventType, 'AuctionPlanned'>]: (auction: Auction, event: EventOf<T>) => Auction;
};

const CHANGES: Changes = {
  // Links stay valid: bidders have them already.
  AuctionReplanned: (auction, { plan }) => {
    const { linksPublished } = auction;
    const links = new Map(auction.bids.map(({ id, generation, entries }) => [id, { generation, entries }]));
    const renewed = plannedAuction(plan);
    const bids = renewed.bids.map((bid) => ({ ...bid, ...links.get(bid.id) }));
    // A bidder who was not there before has no link yet.
    return { ...renewed, bids, linksPublished: linksPublished && bids.every(({ id }) => links.has(id)) };
  },
  StageStarted: startStage,
  OfferPlaced: (auction, { stage, bid, amount, offerId, at }) => ({
    ...auction,
    posted: { amount, at, offerId },
    offers: remembered(auction, bid, { offerId, stage, amount, at }),
  }),
  OfferWithdrawn: (auction, { stage, bid, offerId, at }) => ({
    ...withoutPosted(auction),
    offers: remembered(auction, bid, { offerId, stage, amount: null, at }),
  }),
  TurnClosed: closeTurn,
  ResultsFixed: (auction, { order }) => ({
    ...auction,
    phase: 'finished',
    results: pricesInOrder(auction.bids, order),
  }),
  AuctionAnnounced: (auction) => ({
    ...auction,
    phase: 'announced',
    currentStage: announcementStage(auction.bids.length),
  }),
  TimetableShifted: (auction, { from, until, seconds }) => ({
    ...auction,
    // The opening pause never moves: an auction that begins late has a shorter one.
    starts: auction.starts.map((start, stage) =>
      stage > Math.max(auction.currentStage, 0) ? addMicros(start, seconds * SECOND) : start,
    ),
    shifts: [...auction.shifts, { from, until, seconds }],
  }),
  AuctionMissed: (auction) => ({ ...withoutPosted(auction), phase: 'missed' }),
  AuctionCancelled: (auction) => ({ ...withoutPosted(auction), phase: 'cancelled' }),
  LinksNoted: (auction) => ({ ...auction, linksPublished: true }),
  ReportBegun: (auction) => ({ ...auction, reportBegun: true }),
  ResultsNoted: (auction, { outcome, at }) =>
    outcome === 'accepted' ? { ...auction, resultsAcceptedAt: at } : auction,
  ProtocolNoted: (auction, { documentId, version }) => ({ ...auction, protocol: { documentId, version } }),
  NamesRevealed: (auction, { labels }) => ({ ...auction, names: { ...auction.names, ...labels } }),
  ConflictNoted: (auction) => ({ ...auction, conflict: true }),
  OperatorActed: (auction) => auction,
  LinkRenewed: (auction, { bid, generation }) => ({
    ...auction,
    linksPublished: false,
    bids: auction.bids.map((one) => (one.id === bid ? { ...one, generation } : one)),
  }),
  BidderEntered: (auction, { bid, entry }) => ({
    ...auction,
    bids: auction.bids.map((one) => (one.id === bid ? { ...one, entries: entry } : one)),
  }),
};

function plannedAuction(plan: AuctionPlan): Auction {
  return {
    plan,
    seq: 0,
    publicSeq: 0,
    phase: 'planned',
    currentStage: -1,
    starts: stageStarts(plan.startAt, plan.bids.length, plan.lengths),
    shifts: [],
    bids: plan.bids.map(({ id, amount, date }) => ({
      id,
      amount,
      time: parseInstant(date),
      timeText: date,
      ...printedFeatures(plan, id, amount),
      generation: 1,
      entries: 0,
    })),
    numbers: {},
    orders: [],
    initialBids: [],
    turns: [],
    results: [],
    offers: {},
    linksPublished: false,
    reportBegun: false,
    conflict: false,
    names: {},
  };
}

function startStage(auction: Auction, { stage, order }: EventOf<'StageStarted'>): Auction {
  const orders = order === undefined ? auction.orders : [...auction.orders, order];
  const next: Auction = { ...auction, currentStage: stage, orders };
  if (stage > 0 || order === undefined) return next;
  return {
    ...next,
    phase: 'running',
    initialBids: pricesInOrder(auction.bids, order),
    numbers: Object.fromEntries(order.map((bid, index) => [bid, index + 1])),
  };
}

function closeTurn(auction: Auction, { stage, bid, offered, at }: EventOf<'TurnClosed'>): Auction {
  const bids = auction.bids.map((one) =>
    one.id === bid && offered !== undefined
      ? {
          ...one,
          amount: offered.amount,
          time: offered.at,
          timeText: formatLocalDate(offered.at),
          ...printedFeatures(auction.plan, bid, offered.amount),
        }
      : one,
  );
  const lines = pricesInOrder(bids, [bid]);
  const turns = lines.map((line) => ({ ...line, stage, closedAt: at, changed: offered !== undefined }));
  return { ...withoutPosted(auction), bids, turns: [...auction.turns, ...turns] };
}

/** Prices of the bids in the order of the ids. */
export function pricesInOrder(bids: readonly BidState[], order: readonly string[]): readonly PriceLine[] {
  const byId = new Map(bids.map((bid) => [bid.id, bid]));
  return order.flatMap((id) => {
    const bid = byId.get(id);
    if (bid === undefined) return [];
    const { id: _id, generation: _generation, entries: _entries, ...price } = bid;
    return [{ bid: id, ...price }];
  });
}

function withoutPosted(auction: Auction): Auction {
  const { posted: _posted, ...rest } = auction;
  return rest;
}

function remembered(auction: Auction, bid: string, outcome: OfferOutcome): Auction['offers'] {
  const earlier = auction.offers[bid] ?? [];
  return { ...auction.offers, [bid]: [...earlier, outcome].slice(-OFFER_IDS_MAX) };
}
