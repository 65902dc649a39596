import { BidDocumentsRequest, type BidDocuments } from '@procurement/contracts/events/bid-documents';
import type { Deps } from '../deps.ts';
import { isPublic } from '../domain/document.visibility.ts';
import { resolveParent } from '../domain/parent.ts';

/**
 * Answers the owner of bids: every version of their documents, oldest first, with public addresses where the bids are open here
 * or by the owner's own word, which is the first to know (http.md 2.4, 2.7).
 */
export function respondBidDocuments(deps: Deps): (question: unknown) => Promise<BidDocuments> {
  return async (question) => {
    const { id: tenderId, bids, opened } = BidDocumentsRequest.parse(question);
    const versions = await deps.documents.ofBids(tenderId, bids);
    // Most bids have none, and many tenders may be opened at once.
    if (versions.length === 0) return {};
    const tender = await deps.tenders.find(tenderId);
    const bidsOpened = opened || (await deps.documents.bidsOpened(tenderId));
    const documentsByBid: BidDocuments = {};
    for (const id of new Set(versions.map(({ parent }) => parent.id))) {
      // Whether it is withdrawn is for the bids service to know, which asks.
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
