import type { BidDocumentsOpened } from '@procurement/contracts/events/bid-documents';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { biddingHasEnded } from './bidding-has-ended.ts';

const TenderRequest = z.object({ id: z.string() });
const REQUEST_ID = 'ask again';

/**
 * Responds to the bids service: makes the documents of the opened bids of a tender public. A repeat has no effect. Throws while the
 * tender takes bids (http.md 2.7).
 */
export function respondOpenBidDocuments(
  deps: Pick<Deps, 'documents' | 'tenders' | 'clock'>,
): (payload: unknown) => Promise<BidDocumentsOpened> {
  return async (payload) => {
    const { id: tenderId } = TenderRequest.parse(payload);
    if (!(await biddingHasEnded(deps, tenderId, await deps.tenders.find(tenderId)))) {
      throw new Error('the bidding has not ended: no document of a bid is opened');
    }
    await deps.documents.openNow({ tenderId, correlationId: REQUEST_ID });
    return { opened: true };
  };
}
