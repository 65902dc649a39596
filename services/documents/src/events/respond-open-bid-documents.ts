import type { BidDocumentsOpened } from '@procurement/contracts/events/bid-documents';
import { z } from 'zod';
import type { Deps } from '../deps.ts';

const TenderRequest = z.object({ id: z.string() });
const REQUEST_ID = 'ask again';

/** Responds to the bids service: makes the documents of the opened bids of a tender public. A repeat has no effect. */
export function respondOpenBidDocuments({
  documents,
}: Pick<Deps, 'documents'>): (payload: unknown) => Promise<BidDocumentsOpened> {
  return async (payload) => {
    await documents.openNow({ tenderId: TenderRequest.parse(payload).id, correlationId: REQUEST_ID });
    return { opened: true };
  };
}
