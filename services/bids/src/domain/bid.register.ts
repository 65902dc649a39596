import { anonymousRefusal, type Actor } from '@procurement/contracts/actor';
import { formatServerDate } from '@procurement/contracts/instant';
import { invalid, problem, type Problem } from '@procurement/contracts/problems';
import { readBy } from '@procurement/contracts/reading/read-by';
import { BidInput, EarlyBidInput, type StoredBid } from '@procurement/contracts/resources/bid';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { Decision } from '@procurement/kit/decision';
import { documentsRefusal, placedFaults } from './bid.documents.ts';
import { biddingClosed } from './bid.guards.ts';
import type { BidEvent, BiddingState, RegisterBid } from './bid.ts';
import { mayOmitParameters, termsRefusal } from './bid.terms.ts';

/** POST of a bid (bids-awards-auction.md 1.2 and 1.3); the order of refusals is http.md 0.2. */
export function registerBid({ tender, phase }: BiddingState, { body, meta }: RegisterBid): Decision<BidEvent> {
  if (tender === undefined) return { refused: problem('object.not-found', { kind: 'tender' }) };
  if (body.kind === 'refused' && body.problem.status === 415) return { refused: body.problem };
  const anonymous = anonymousRefusal(meta.actor);
  if (anonymous !== undefined) return { refused: anonymous };
  const forbidden = mayNotBid(tender, meta.actor);
  if (forbidden !== undefined) return { refused: forbidden };
  if (body.kind === 'refused') return { refused: body.problem };
  const reading = readBy(meta.actor.segment === '2.5' ? BidInput : EarlyBidInput, body.data);
  if (!reading.ok) return { refused: invalid(placedFaults(reading.errors)) };
  const { documents = [], ...input } = reading.value;
  const unfit =
    termsRefusal(input, tender, mayOmitParameters(meta.actor.segment)) ?? documentsRefusal(documents, tender);
  if (unfit !== undefined) return { refused: unfit };
  const closed = biddingClosed('add', { tender, phase }, meta);
  if (closed !== undefined) return { refused: closed };
  const bid = {
    id: meta.id,
    tenderId: tender.id,
    version: 1,
    owner: meta.actor.broker ?? '',
    ownerTokenHash: meta.ownerTokenHash,
    transferHash: meta.transferHash,
    document: newBid(input, meta.id, formatServerDate(meta.now)),
  };
  return { accepted: [{ type: 'BidRegistered', bid, documents }] };
}

/** Only brokers bid, with level 2, and test-only brokers on test tenders (tenders.md 1.4, 1.6). */
function mayNotBid(tender: TenderFacts, actor: Actor): Problem | undefined {
  if (actor.group === 'admins') return undefined;
  if (actor.group !== 'brokers') return problem('request.forbidden');
  if (!actor.levels.includes('2')) return problem('request.level', { subject: 'bid' });
  if (actor.levels.includes('t') && tender.mode !== 'test') return problem('request.test-only', { subject: 'bid' });
  return undefined;
}

/** What the service assigns replaces what was sent; what is empty is not kept (http.md 0.1.7). */
function newBid(input: Omit<BidInput, 'documents'>, id: string, date: string): StoredBid {
  const { lotValues = [], parameters = [], participationUrl: _assigned, ...rest } = input;
  return {
    ...rest,
    id,
    date,
    status: input.status ?? 'active',
    ...(lotValues.length === 0
      ? {}
      : { lotValues: lotValues.map(({ relatedLot, value }) => ({ relatedLot, value, date })) }),
    ...(parameters.length === 0 ? {} : { parameters }),
  };
}
