import { admitWrite, accreditationProblem } from '@procurement/domain/admission';
import { formatServerDate } from '@procurement/contracts/reading/instant';
import { invalid, problem } from '@procurement/contracts/problems/problems';
import { parseWith } from '@procurement/contracts/reading/parse-with';
import { bidsApi } from '@procurement/contracts/api/bids.api';
import type { BidInput, StoredBid } from '@procurement/contracts/resources/bid';
import type { Decision } from '@procurement/domain/decision';
import { budgetRefusal } from './bid.budget.ts';
import { bidDate } from './bid-date.ts';
import { documentsRefusal, locateDocumentFaults } from './bid.documents.ts';
import { biddingRefusal } from './bid.guards.ts';
import type { BidEvent, BiddingState, RegisterBid } from './bid.ts';
import { mayOmitParameters, termsRefusal } from './bid.terms.ts';

/** Groups whose members may bid (tenders.md 1.6). */
export const BIDDER_GROUPS: ReadonlySet<string> = new Set(['brokers', 'admins']);

/** POST of a bid (bids-awards-auction.md 1.2, 1.3). Refusals in the order of http.md 0.2. */
export function registerBid(
  { tender, phase, lastDate, usage }: BiddingState,
  { body, meta }: RegisterBid,
): Decision<BidEvent> {
  if (tender === undefined) return { refused: problem('object.not-found', { kind: 'tender' }) };
  const { actor } = meta;
  const accreditation = accreditationProblem(actor, tender.mode, 'bid');
  const admission = admitWrite(body, actor, BIDDER_GROUPS.has(actor.group), { accreditation });
  if ('refused' in admission) return admission;
  const { body: schema, bodyBySegment } = bidsApi.createBid;
  const reading = parseWith(actor.segment === '2.5' ? schema : bodyBySegment['0'], admission.data);
  if (!reading.ok) return { refused: invalid(locateDocumentFaults(reading.errors)) };
  const { documents = [], ...input } = reading.value;
  const termsProblem =
    termsRefusal(input, tender, mayOmitParameters(actor.segment)) ?? documentsRefusal(documents, tender);
  if (termsProblem !== undefined) return { refused: termsProblem };
  const closed = biddingRefusal('add', { tender, phase }, meta);
  if (closed !== undefined) return { refused: closed };
  const document = newBid(input, meta.id, formatServerDate(bidDate(meta.now, lastDate, tender)));
  const bid = {
    id: meta.id,
    tenderId: tender.id,
    version: 1,
    owner: actor.broker ?? '',
    ownerTokenHash: meta.ownerTokenHash,
    transferHash: meta.transferHash,
    status: document.status,
    document,
  };
  const tooMuch = budgetRefusal(undefined, document, usage);
  return tooMuch === undefined ? { accepted: [{ type: 'BidRegistered', bid, documents }] } : { refused: tooMuch };
}

/** Members that the service assigns replace those sent; empty lists are not stored (http.md 0.1.7). */
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
