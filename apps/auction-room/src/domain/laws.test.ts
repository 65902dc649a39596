import { SECOND } from '@procurement/contracts/reading/instant';
import { compareFractions, normalizedAmount } from '@procurement/domain/ranking';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  arbitraryOps,
  arbitraryPlan,
  finalState,
  logOf,
  playOps,
  type Between,
  type Step,
} from '../../test-support/random-auctions.ts';
import type { Auction, AuctionPlan } from './auction.ts';
import { decide, foldOnto } from './auction.decide.ts';
import { evolve, fold } from './auction.evolve.ts';
import { compareDecimals, toDecimal } from './decimal.ts';
import type { AuctionEvent } from './events.ts';
import { offerAnswer } from './bidder-view.ts';
import { limitNumber, limitOf, openTurn } from './offer.rules.ts';
import { worstFirst } from './ordering.ts';
import { protocolFile } from './protocol.ts';
import { publicDocument, publicState } from './public-document.ts';
import { resultsReport } from './report.ts';
import { preAnnouncementStage } from './timetable.ts';

const RUNS = { numRuns: 40 };

/** Plays random auctions and checks what holds in each. */
function holds(law: (steps: readonly Step[], plan: AuctionPlan) => void, lagMax = 1): void {
  fc.assert(
    fc.property(arbitraryPlan, arbitraryOps(lagMax), (plan, ops) => law(playOps(plan, ops), plan)),
    RUNS,
  );
}

const storedAndRead: Between = (auction): Auction => JSON.parse(JSON.stringify(auction));

describe('laws of the auction (auction-room.md 3.6)', () => {
  it('L1, L15: a state that is stored and read back before every command decides alike', () => {
    fc.assert(
      fc.property(arbitraryPlan, arbitraryOps(), (plan, ops) => {
        expect(JSON.stringify(logOf(playOps(plan, ops, storedAndRead)))).toBe(
          JSON.stringify(logOf(playOps(plan, ops))),
        );
      }),
      RUNS,
    );
  });

  it('L1, L14: state, protocol and report are the fold of the log', () => {
    holds((steps, plan) => {
      const auction = finalState(steps);
      const first = evolve(undefined, { type: 'AuctionPlanned', at: plan.startAt, plan });
      const log: AuctionEvent[] = JSON.parse(JSON.stringify(logOf(steps)));
      const again = fold(first, log);
      expect(again).toEqual(auction);
      if (again === undefined || auction.phase !== 'announced') return;
      expect(protocolFile(again)).toBe(protocolFile(auction));
      expect(resultsReport(again)).toEqual(resultsReport(auction));
    });
  });

  it('L2: a tick not later than the next command changes nothing in the log', () => {
    fc.assert(
      fc.property(arbitraryPlan, arbitraryOps(), (plan, drawn) => {
        // A tick before a refused offer would be later than an offer that arrived earlier and is recorded after it.
        const ops = drawn.map((op) => (op.op === 'offer' ? { ...op, early: 0 } : op));
        const ticked: AuctionEvent[] = [];
        const tickFirst: Between = (auction, next, now) => {
          const decision = decide(auction, { type: 'Tick' }, next.type === 'ComeBack' ? next.awayFrom : now);
          const events = 'accepted' in decision ? decision.accepted : [];
          ticked.push(...events);
          return foldOnto(auction, events);
        };
        const end = finalState(playOps(plan, ops, tickFirst));
        expect(end).toEqual(finalState(playOps(plan, ops)));
      }),
      RUNS,
    );
  });

  it('L3: each stage begins once, in order, at its boundary, which never moves afterwards', () => {
    holds((steps) => {
      const runs = splitAt(logOf(steps), (event) => event.type === 'AuctionReplanned');
      for (const log of runs) {
        const started = log.flatMap((event) => (event.type === 'StageStarted' ? [event.stage] : []));
        expect(started).toEqual(started.map((_stage, index) => index));
      }
      const last = runs.at(-1) ?? [];
      const { starts } = finalState(steps);
      for (const event of last) if (event.type === 'StageStarted') expect(starts[event.stage]).toBe(event.at);
    });
  });

  it('L4: an amount changes only in the own turn, never rises, and is within the limit', () => {
    holds((steps) => {
      for (const { state, event } of prefixes(steps)) {
        const after = evolve(state, event);
        if (event.type === 'AuctionReplanned') continue;
        for (const [index, bid] of after.bids.entries()) {
          const earlier = state.bids[index]?.amount ?? Number.NaN;
          if (bid.amount === earlier) continue;
          expect(event).toMatchObject({ type: 'TurnClosed', bid: bid.id });
          expect(bid.amount).toBeLessThan(earlier);
        }
        if (event.type !== 'OfferPlaced') continue;
        expect(openTurn(state)).toEqual({ stage: event.stage, bid: event.bid });
        expect(compareDecimals(toDecimal(event.amount), limitOf(state, event.bid))).toBeLessThanOrEqual(0);
      }
    });
  });

  it('L5: an offer in the own turn within the limit is accepted, whatever happened before', () => {
    holds((steps) => {
      for (const { command, before, now, after, refused } of steps) {
        if (command.type !== 'PlaceOffer' || (before.starts[before.currentStage] ?? now) > now) continue;
        const present = foldOnto(before, acceptedBy(before, now));
        if (openTurn(present)?.bid !== command.bid) continue;
        const limit = limitNumber(present, command.bid) ?? 0;
        if (command.amount === undefined || command.amount <= 0 || command.amount > limit) continue;
        expect(refused).toBeUndefined();
        expect(offerAnswer(after, command.bid, command.offerId, false)?.accepted).toBe(command.amount);
      }
    });
  });

  it('L6: a turn without a standing offer leaves amount and time as on entry', () => {
    holds((steps) => {
      for (const { state, event } of prefixes(steps)) {
        if (event.type !== 'TurnClosed') continue;
        const [entry, left] = [state, evolve(state, event)].map(({ bids }) => bids.find(({ id }) => id === event.bid));
        const { posted } = state;
        if (posted === undefined) expect(left).toEqual(entry);
        else expect(left).toMatchObject({ amount: posted.amount, time: posted.at });
      }
    });
  });

  it('L7: each round has every bid once, in the order at the begin of its pause', () => {
    holds((steps) => {
      for (const { state, event } of prefixes(steps)) {
        if (event.type !== 'StageStarted' || event.order === undefined) continue;
        expect(event.order).toEqual(worstFirst(state.plan, state.bids));
        expect(event.order.toSorted()).toEqual(state.bids.map(({ id }) => id).toSorted());
      }
    });
  });

  it('L8: the results are the last prices', () => {
    holds((steps) => {
      const { results, bids, phase } = finalState(steps);
      if (phase !== 'announced') return;
      expect(results.map(({ bid, amount, time }) => ({ id: bid, amount, time })).toSorted(byId)).toEqual(
        bids.map(({ id, amount, time }) => ({ id, amount, time })).toSorted(byId),
      );
    });
  });

  it('L9: the last line of the opening bids and of the results is the bid that is awarded first', () => {
    holds((steps) => {
      const { results, initialBids, plan } = finalState(steps);
      for (const lines of [results, initialBids]) {
        const [best] = lines
          .map(({ bid, amount, time }) => {
            const position = plan.bids.findIndex(({ id }) => id === bid);
            const parameters = plan.bids[position]?.parameters ?? [];
            return { bid, time, position, normalized: normalizedAmount(amount, plan.tender.features, parameters) };
          })
          .toSorted(
            (a, b) => compareFractions(a.normalized, b.normalized) || a.time - b.time || a.position - b.position,
          );
        expect(lines.at(-1)?.bid).toBe(best?.bid);
      }
    });
  });

  it('L10: nothing public depends on the offer of the open turn, nor does a price of features come out early', () => {
    holds((steps) => {
      for (const { command, before, after, now } of steps) {
        const bidders = after.bids.length;
        if (command.type === 'PlaceOffer' || command.type === 'WithdrawOffer') {
          const ticked = foldOnto(before, after === before ? [] : acceptedBy(before, now));
          expect(JSON.stringify(publicDocument(after, now))).toBe(JSON.stringify(publicDocument(ticked, now)));
        }
        if (after.plan.tender.features.length === 0 || after.currentStage >= preAnnouncementStage(bidders)) continue;
        const { stages, initial_bids: initial, results } = publicState(after, now);
        for (const line of [...stages, ...initial, ...results]) {
          expect(line).not.toHaveProperty('amount');
          expect(line).not.toHaveProperty('coeficient');
        }
      }
    });
  });

  it('L11: an offer id that is sent again is one event', () => {
    holds((steps) => {
      for (const log of splitAt(logOf(steps), (event) => event.type === 'AuctionReplanned')) {
        const ids = log.flatMap((event) => ('offerId' in event ? [event.offerId] : []));
        expect(new Set(ids).size).toBe(ids.length);
      }
    });
  });

  it('L12: after a cancelled auction nothing is accepted, after a missed one another plan and entries', () => {
    holds((steps) => {
      for (const { state, event } of prefixes(steps)) {
        expect(state.phase).not.toBe('cancelled');
        if (state.phase === 'missed') expect(['AuctionReplanned', 'BidderEntered']).toContain(event.type);
      }
    });
  });

  it('L13: no turn that ended lost 5 s to one outage, unless the timetable waited for it', () => {
    holds((steps) => {
      const auction = finalState(steps);
      const replanned = steps.findLastIndex(({ events }) => events.some(({ type }) => type === 'AuctionReplanned'));
      const outages = steps
        .slice(replanned + 1)
        .flatMap(({ command }) => (command.type === 'ComeBack' ? [command] : []));
      for (const turn of auction.turns) {
        const start = auction.starts[turn.stage] ?? turn.closedAt;
        for (const { awayFrom, awayUntil } of outages) {
          const lost = Math.min(awayUntil, turn.closedAt) - Math.max(awayFrom, start);
          const waited = auction.shifts
            .filter(({ from, until }) => until === awayUntil && from >= start && from < turn.closedAt)
            .map(({ seconds }) => seconds * SECOND);
          expect(lost - Math.max(0, ...waited)).toBeLessThan(5 * SECOND);
        }
      }
    });
  });
});

function acceptedBy(auction: Auction, now: Step['now']): readonly AuctionEvent[] {
  const decision = decide(auction, { type: 'Tick' }, now);
  return 'accepted' in decision ? decision.accepted : [];
}

/** Every event with the state before it. */
function prefixes(steps: readonly Step[]): readonly { readonly state: Auction; readonly event: AuctionEvent }[] {
  return steps.flatMap(({ before, events }) => {
    let state = before;
    return events.map((event) => {
      const one = { state, event };
      state = evolve(state, event);
      return one;
    });
  });
}

function splitAt<T>(items: readonly T[], isFirst: (item: T) => boolean): readonly (readonly T[])[] {
  const parts: T[][] = [[]];
  for (const item of items) {
    if (isFirst(item)) parts.push([]);
    parts.at(-1)?.push(item);
  }
  return parts;
}

function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id < b.id ? -1 : 1;
}
