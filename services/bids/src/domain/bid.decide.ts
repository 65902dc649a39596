import { anonymousRefusal, type Actor } from '@procurement/contracts/actor';
import { formatServerDate, instantOf, type Instant } from '@procurement/contracts/instant';
import { invalid, problem, type Problem } from '@procurement/contracts/problems';
import { readBy } from '@procurement/contracts/reading/read-by';
import { BidInput, EarlyBidInput, type StoredBid } from '@procurement/contracts/resources/bid';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { Decision } from '@procurement/kit/decision';
import type { BidCommand, BidEvent, BidSettings, BiddingState, RegisterBid } from './bid.ts';
import { termsErrors } from './bid.terms.ts';

/** Decides one command about the bids of one tender. Pure: state, command and the time in it are all it knows. */
export function decideBid(state: BiddingState, command: BidCommand): Decision<BidEvent> {
  return registerBid(state, command);
}

/** bids-awards-auction.md 1.2 and 1.3; the order of refusals is http.md 0.2. */
function registerBid(state: BiddingState, { body, meta }: RegisterBid): Decision<BidEvent> {
  const { tender } = state;
  if (tender === undefined) return { refused: problem('object.not-found', { kind: 'tender' }) };
  if (body.kind === 'refused' && body.problem.status === 415) return { refused: body.problem };
  const anonymous = anonymousRefusal(meta.actor);
  if (anonymous !== undefined) return { refused: anonymous };
  const refusal = mayNotBid(tender, meta.actor);
  if (refusal !== undefined) return { refused: refusal };
  if (body.kind === 'refused') return { refused: body.problem };
  const reading = readBy(meta.actor.segment === '2.5' ? BidInput : EarlyBidInput, body.data);
  if (!reading.ok) return { refused: invalid(reading.errors) };
  const errors = termsErrors(reading.value, tender);
  if (errors.length > 0) return { refused: invalid(errors) };
  const closed = biddingClosed(tender, meta.now, meta.actor, meta.settings);
  if (closed !== undefined) return { refused: closed };
  const bid = {
    id: meta.id,
    tenderId: tender.id,
    version: 1,
    owner: meta.actor.broker ?? '',
    ownerTokenHash: meta.ownerTokenHash,
    transferHash: meta.transferHash,
    document: newBid(reading.value, meta.id, formatServerDate(meta.now)),
  };
  return { accepted: [{ type: 'BidRegistered', bid }] };
}

/** Only brokers bid, with level 2, and test-only brokers on test tenders (tenders.md 1.4, 1.6). */
function mayNotBid(tender: TenderFacts, actor: Actor): Problem | undefined {
  if (actor.group !== 'brokers' && actor.group !== 'admins') return problem('request.forbidden');
  if (actor.group === 'admins') return undefined;
  if (!actor.levels.includes('2')) return problem('request.level', { subject: 'bid' });
  if (actor.levels.includes('t') && tender.mode !== 'test') return problem('request.test-only', { subject: 'bid' });
  return undefined;
}

const FINAL: ReadonlySet<string> = new Set(['complete', 'cancelled', 'unsuccessful']);

/** The status and, because the status may lag the clock by seconds, the period (bids-awards-auction.md 1.2). */
function biddingClosed(tender: TenderFacts, now: Instant, actor: Actor, settings: BidSettings): Problem | undefined {
  const { status } = tender;
  if (settings.legacyGuardsOpen && actor.segment !== '2.5' && !FINAL.has(status) && status !== 'draft')
    return undefined;
  if (status !== 'active.tendering') return problem('bid.add-status', { status });
  const { startDate, endDate } = tender.tenderPeriod ?? {};
  const early = startDate !== undefined && now < instantOf(startDate);
  const late = endDate !== undefined && now > instantOf(endDate);
  if (!early && !late) return undefined;
  return problem('bid.add-period', { start: startDate ?? '', end: endDate ?? '' });
}

function newBid(input: BidInput, id: string, date: string): StoredBid {
  const { lotValues, participationUrl: _url, ...rest } = input;
  const bid = { ...rest, id, date, status: input.status ?? 'active' };
  return lotValues === undefined ? bid : { ...bid, lotValues: lotValues.map((lotValue) => ({ ...lotValue, date })) };
}
