import { toJsonText } from '@procurement/domain/json-text';
import type { Deps } from '../deps.ts';
import type { BiddingPhase, BidState } from '../domain/bid.ts';

/** Bids of one tender, and how far their bidding has come. */
export interface BidsInPhase {
  readonly bids: readonly BidState[];
  readonly phase: BiddingPhase;
}

/**
 * Bids as their owner, and after the opening everybody, sees them: all but who owns them (bids-awards-auction.md 1.5), with all
 * versions of their documents. Where nobody answers for these they are shown without.
 */
export async function bidViews(
  { documents }: Pick<Deps, 'documents'>,
  { bids, phase }: BidsInPhase,
): Promise<string[]> {
  const [first] = bids;
  if (first === undefined) return [];
  const documentsByBid = await documents.bidDocuments({
    id: first.tenderId,
    bids: bids.map(({ id }) => id),
    opened: phase === 'opened',
  });
  return bids.map(({ id, document }) => toJsonText({ ...document, ...documentsMember(documentsByBid[id]) }));
}

/** One of them. */
export async function bidView(
  deps: Pick<Deps, 'documents' | 'bids'>,
  bid: BidState,
  phase?: BiddingPhase,
): Promise<string> {
  const [view = ''] = await bidViews(deps, { bids: [bid], phase: phase ?? (await deps.bids.phase(bid.tenderId)) });
  return view;
}

function documentsMember(documents: readonly unknown[] | undefined): object {
  return documents === undefined ? {} : { documents };
}

/** The same of a bid that was just made without documents, or is no more: neither has any to be shown. */
export function bidViewWithoutDocuments(bid: BidState): string {
  return toJsonText(bid.document);
}

/**
 * The answer to a change by somebody who may not see the bid: the Administrator corrects who the bidder is, and learns
 * nothing of what is offered.
 */
export function sealedBidView({ document }: BidState): string {
  const { id, date, status, tenderers } = document;
  return toJsonText({ id, date, status, tenderers });
}
