import type { Instant } from '@procurement/contracts/reading/instant';
import { deepEqual } from '@procurement/domain/equality';
import type { Auction, AuctionPlan, Phase } from './auction.ts';
import { evolve } from './auction.evolve.ts';
import { nextTimer } from './auction.timers.ts';
import type { Command, CommandOf, CommandType } from './commands.ts';
import type { AuctionEvent, MissedReason, OperatorAction, OperatorNote } from './events.ts';
import { isEntrant, judgeAmount, judgeLink, judgeOfferId, judgeTurn, openTurn, findOutcome } from './offer.rules.ts';
import { worstFirst } from './ordering.ts';
import { outageEffect } from './outage.ts';
import { refusal, type Refusal, type RefusalCode } from './refusals.ts';
import { announcementStage, preAnnouncementStage, stageKind } from './timetable.ts';

/** The events to append to the log, or why nothing changes. An empty list: nothing to do. */
export type Decision = { readonly accepted: readonly AuctionEvent[] } | { readonly refused: Refusal };

/** What a command does outside the phases in which it has a meaning. */
interface PhaseRule {
  readonly in: readonly Phase[];
  readonly otherwise: 'ignored' | RefusalCode;
}

const ANY: readonly Phase[] = ['planned', 'running', 'finished', 'announced', 'cancelled', 'missed'];

/** The phases of each command (auction-room.md 3.2, 3.3). */
export const PHASES: Readonly<Record<CommandType, PhaseRule>> = {
  Plan: { in: ['planned', 'missed'], otherwise: 'ignored' },
  Tick: { in: ANY, otherwise: 'ignored' },
  PlaceOffer: { in: ANY, otherwise: 'ignored' },
  WithdrawOffer: { in: ANY, otherwise: 'ignored' },
  ComeBack: { in: ['planned', 'running'], otherwise: 'ignored' },
  Cancel: { in: ['planned', 'running', 'finished'], otherwise: 'ignored' },
  Void: { in: ['planned', 'running', 'finished'], otherwise: 'auction.phase' },
  NoteLinks: { in: ['planned', 'running', 'finished'], otherwise: 'ignored' },
  BeginReport: { in: ['finished'], otherwise: 'auction.phase' },
  NoteResults: { in: ['finished'], otherwise: 'ignored' },
  NoteProtocol: { in: ['finished', 'announced'], otherwise: 'ignored' },
  // Names of a running auction would say who bids against whom.
  RevealNames: { in: ['finished', 'announced', 'cancelled', 'missed'], otherwise: 'ignored' },
  NoteConflict: { in: ['finished'], otherwise: 'ignored' },
  RenewLink: { in: ['planned', 'running'], otherwise: 'auction.phase' },
  Enter: { in: ['planned', 'running', 'finished', 'missed'], otherwise: 'session.required' },
  TryAgain: { in: ANY, otherwise: 'ignored' },
};

const NOTHING: Decision = { accepted: [] };

/**
 * Decides one command at `now`, which is room time, or the tender's time in a sandbox. The stages that are due come first, and
 * what the command makes due comes after it, so that no bidder loses time because a timer ran late (auction-room.md 3.5).
 */
export function decide(auction: Auction | undefined, command: Command, now: Instant): Decision {
  if (auction === undefined) return decideFirst(command, now);
  const before = dueEvents(auction, command.type === 'ComeBack' ? earlier(command.awayFrom, now) : now);
  const current = foldOnto(auction, before);
  const own = decideIn(current, command, now);
  if ('refused' in own) return own;
  const after = dueEvents(foldOnto(current, own.accepted), now);
  return { accepted: [...before, ...own.accepted, ...after] };
}

/** The state after the events of a decision. */
export function foldOnto(auction: Auction, events: readonly AuctionEvent[]): Auction {
  let state = auction;
  for (const event of events) state = evolve(state, event);
  return state;
}

function decideFirst(command: Command, now: Instant): Decision {
  if (command.type !== 'Plan') return { refused: refusal('auction.not-found') };
  const planned: AuctionEvent = { type: 'AuctionPlanned', at: now, plan: command.plan };
  return { accepted: [planned, ...dueEvents(evolve(undefined, planned), now)] };
}

function decideIn(auction: Auction, command: Command, now: Instant): Decision {
  const rule = PHASES[command.type];
  if (!rule.in.includes(auction.phase)) {
    return rule.otherwise === 'ignored' ? NOTHING : { refused: refusal(rule.otherwise) };
  }
  // Safe cast: the table has under each type the function of that type.
  const decideOwn = DECISIONS[command.type] as (auction: Auction, command: Command, now: Instant) => Decision;
  return decideOwn(auction, command, now);
}

type Decisions = { readonly [T in CommandType]: (auction: Auction, command: CommandOf<T>, now: Instant) => Decision };

const DECISIONS: Decisions = {
  Plan: (auction, { plan }, now) =>
    isPlanChanged(auction, plan) ? { accepted: [{ type: 'AuctionReplanned', at: now, plan }] } : NOTHING,
  Tick: () => NOTHING,
  PlaceOffer: placeOffer,
  WithdrawOffer: withdrawOffer,
  ComeBack: comeBack,
  Cancel: (_auction, { reason }, now) => ({ accepted: [{ type: 'AuctionCancelled', at: now, reason }] }),
  Void: (auction, { by }, now) =>
    auction.reportBegun
      ? { refused: refusal('auction.report-begun') }
      : { accepted: [...noted('Void', by, now), { type: 'AuctionMissed', at: now, reason: 'operator' }] },
  NoteLinks: (auction, _command, now) =>
    auction.linksPublished ? NOTHING : { accepted: [{ type: 'LinksNoted', at: now }] },
  BeginReport: beginReport,
  NoteResults: (auction, { outcome }, now) =>
    auction.resultsAcceptedAt === undefined ? { accepted: [{ type: 'ResultsNoted', at: now, outcome }] } : NOTHING,
  NoteProtocol: (auction, { documentId, version }, now) =>
    auction.protocol?.documentId === documentId && auction.protocol.version === version
      ? NOTHING
      : { accepted: [{ type: 'ProtocolNoted', at: now, documentId, version }] },
  RevealNames: (auction, { labels }, now) =>
    deepEqual({ ...auction.names, ...labels }, auction.names)
      ? NOTHING
      : { accepted: [{ type: 'NamesRevealed', at: now, labels }] },
  NoteConflict: (auction, { reason }, now) =>
    auction.conflict ? NOTHING : { accepted: [{ type: 'ConflictNoted', at: now, reason }] },
  RenewLink: (auction, { bid, by }, now) => {
    const renewed = auction.bids.find(({ id }) => id === bid);
    if (renewed === undefined) return { refused: refusal('offer.unknown-bidder', { bid }) };
    const event: AuctionEvent = { type: 'LinkRenewed', at: now, bid, generation: renewed.generation + 1 };
    return { accepted: [...noted('RenewLink', by, now), event] };
  },
  Enter: (auction, command, now) => {
    const { bid } = command;
    const own = auction.bids.find(({ id }) => id === bid);
    if (own === undefined || !isEntrant(auction, command)) return { refused: refusal('session.required') };
    return { accepted: [{ type: 'BidderEntered', at: now, bid, entry: own.entries + 1 }] };
  },
  TryAgain: (_auction, { by }, now) => ({ accepted: noted('TryAgain', by, now) }),
};

function noted(action: OperatorAction, by: OperatorNote | undefined, at: Instant): readonly AuctionEvent[] {
  return by === undefined ? [] : [{ type: 'OperatorActed', at, action, ...by }];
}

/** A missed auction waits for another start: planned at the same one it would be missed again. */
function isPlanChanged(auction: Auction, plan: AuctionPlan): boolean {
  return auction.phase === 'missed' ? plan.startAt !== auction.plan.startAt : !deepEqual(plan, auction.plan);
}

function placeOffer(auction: Auction, command: CommandOf<'PlaceOffer'>, now: Instant): Decision {
  const { bid, amount, offerId } = command;
  const refusedId = judgeLink(auction, command) ?? judgeOfferId(auction, { bid, offerId, amount });
  if (refusedId !== undefined) return { refused: refusedId };
  if (findOutcome(auction, bid, offerId) !== undefined) return NOTHING;
  const refused = judgeTurn(auction, bid, now) ?? judgeAmount(auction, bid, amount);
  if (refused !== undefined || amount === undefined) return { refused: refused ?? refusal('offer.amount-required') };
  return { accepted: [{ type: 'OfferPlaced', at: now, stage: auction.currentStage, bid, amount, offerId }] };
}

function withdrawOffer(auction: Auction, command: CommandOf<'WithdrawOffer'>, now: Instant): Decision {
  const { bid, offerId } = command;
  const refusedId = judgeLink(auction, command) ?? judgeOfferId(auction, { bid, offerId, amount: null });
  if (refusedId !== undefined) return { refused: refusedId };
  if (findOutcome(auction, bid, offerId) !== undefined) return NOTHING;
  const refused = judgeTurn(auction, bid, now);
  if (refused !== undefined) return { refused };
  return { accepted: [{ type: 'OfferWithdrawn', at: now, stage: auction.currentStage, bid, offerId }] };
}

function comeBack(auction: Auction, { awayFrom, awayUntil }: CommandOf<'ComeBack'>, now: Instant): Decision {
  const outage = outageEffect(auction, awayFrom, awayUntil);
  switch (outage.effect) {
    case 'none':
      return NOTHING;
    case 'missed':
      return { accepted: [missed(outage.reason, now)] };
    case 'shift': {
      const { from, until, seconds } = outage;
      return { accepted: [{ type: 'TimetableShifted', at: awayUntil, from, until, seconds }] };
    }
  }
}

function missed(reason: MissedReason, at: Instant): AuctionEvent {
  return { type: 'AuctionMissed', at, reason };
}

function beginReport(auction: Auction, _command: CommandOf<'BeginReport'>, now: Instant): Decision {
  const announcement = auction.starts[announcementStage(auction.bids.length)];
  if (announcement === undefined || now < announcement) return { refused: refusal('auction.phase') };
  return auction.reportBegun ? NOTHING : { accepted: [{ type: 'ReportBegun', at: now }] };
}

/** What the timetable brings up to `until`, in order, each with the boundary as its time. */
function dueEvents(auction: Auction, until: Instant): readonly AuctionEvent[] {
  const events: AuctionEvent[] = [];
  let state = auction;
  for (let timer = nextTimer(state); timer !== undefined && timer.at <= until; timer = nextTimer(state)) {
    const brought = boundaryEvents(state, timer.at);
    events.push(...brought);
    state = foldOnto(state, brought);
  }
  return events;
}

/** The end of the present stage and the begin of the next one. */
function boundaryEvents(auction: Auction, at: Instant): readonly AuctionEvent[] {
  if (auction.phase === 'finished') return [{ type: 'AuctionAnnounced', at }];
  const closed = closedTurn(auction, at);
  const after = foldOnto(auction, closed);
  const bidders = auction.bids.length;
  const stage = auction.currentStage + 1;
  const order = stageKind(bidders, stage) === 'bids' ? undefined : worstFirst(after.plan, after.bids);
  if (stage === preAnnouncementStage(bidders)) {
    return [...closed, { type: 'StageStarted', at, stage }, { type: 'ResultsFixed', at, order: order ?? [] }];
  }
  return [...closed, { type: 'StageStarted', at, stage, ...(order === undefined ? {} : { order }) }];
}

function closedTurn(auction: Auction, at: Instant): readonly AuctionEvent[] {
  const open = openTurn(auction);
  if (open === undefined) return [];
  const { posted } = auction;
  const offered = posted === undefined ? {} : { offered: { amount: posted.amount, at: posted.at } };
  return [{ type: 'TurnClosed', at, ...open, ...offered }];
}

function earlier(a: Instant, b: Instant): Instant {
  return a < b ? a : b;
}
