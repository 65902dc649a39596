import type { BidDocuments } from '@procurement/contracts/events/bid-documents';
import { toJsonText } from '@procurement/domain/json-text';
import type { Deps } from '../deps.ts';
import type { BiddingPhase, BidState } from '../domain/bid.ts';

/** Bids of one tender, and the phase of its bidding. */
export interface BidsInPhase {
  readonly bids: readonly BidState[];
  readonly phase: BiddingPhase;
}

/**
 * Bids as their owner sees them, and every caller after the opening: all but their ownership (bids-awards-auction.md 1.5), with
 * all versions of their documents; without these while the documents service does not answer (decision 0031).
 */
export async function bidViews(
  { documents }: Pick<Deps, 'documents'>,
  { bids, phase }: BidsInPhase,
): Promise<string[]> {
  const [first] = bids;
  if (first === undefined) return [];
  const ids = bids.map(({ id }) => id);
  const documentsByBid = await documentsOfBids({ documents }, { tenderId: first.tenderId, ids, phase });
  return bids.map((bid) => viewWithDocuments(bid, documentsByBid));
}

export async function documentsOfBids(
  { documents }: Pick<Deps, 'documents'>,
  {
    tenderId,
    ids,
    phase,
  }: { readonly tenderId: string; readonly ids: readonly string[]; readonly phase: BiddingPhase },
): Promise<BidDocuments> {
  return documents.bidDocuments({ id: tenderId, bids: [...ids], opened: phase === 'opened' });
}

export function viewWithDocuments({ id, document }: BidState, documentsByBid: BidDocuments): string {
  return toJsonText({ ...document, ...documentsMember(documentsByBid[id]) });
}

/** The view of one bid. Reads the phase when it is not given. */
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

/** The view of a new bid without documents or of a withdrawn bid: neither has documents to show. */
export function bidViewWithoutDocuments(bid: BidState): string {
  return toJsonText(bid.document);
}

/** The answer to a withdrawal by a caller who may not see the bid: nothing of the bidder or the offer (decision 0071). */
export function sealedBidView({ document }: BidState): string {
  const { id, date, status } = document;
  return toJsonText({ id, date, status });
}
