import { BidDocumentsRequest, type BidDocuments } from '@procurement/contracts/events/bid-documents';
import type { Deps } from '../deps.ts';
import { isPublic } from '../domain/document.visibility.ts';
import { resolveParent } from '../domain/parent.ts';
import { biddingHasEnded } from './bidding-has-ended.ts';

/**
 * Responds to the bids service: every version of the documents of bids, oldest first. Addresses are public where this service
 * knows that the bids were opened, or the request says so and the bidding has ended: the bids service is the first to know
 * (http.md 2.4, 2.7).
 */
export function respondBidDocuments(deps: Deps): (payload: unknown) => Promise<BidDocuments> {
  return async (payload) => {
    const { id: tenderId, bids, opened } = BidDocumentsRequest.parse(payload);
    const versions = await deps.documents.ofBids(tenderId, bids);
    // Most bids have no documents, and many tenders may be opened at once: skips the reads below.
    if (versions.length === 0) return {};
    const tender = await deps.tenders.find(tenderId);
    const bidsOpened =
      (await deps.documents.bidsOpened(tenderId)) || (opened && (await biddingHasEnded(deps, tenderId, tender)));
    const documentsByBid: BidDocuments = {};
    for (const id of new Set(versions.map(({ parent }) => parent.id))) {
      // Whether the bid is withdrawn is checked by the bids service, which sends the request.
      const parentState =
        tender && resolveParent('bid', { bid_id: id }, { tender, bid: await deps.bids.find(id), bidsOpened });
      const audience =
        parentState !== undefined && 'parent' in parentState && isPublic(parentState) ? 'public' : 'sealed';
      documentsByBid[id] = versions
        .filter(({ parent }) => parent.id === id)
        .map((version) => ({ ...deps.documentView(version, audience) }));
    }
    return documentsByBid;
  };
}
