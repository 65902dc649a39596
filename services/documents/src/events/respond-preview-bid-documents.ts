import type { PreviewDocumentsResponse } from '@procurement/contracts/events/bid-documents';
import type { Deps } from '../deps.ts';
import { attachmentResult } from './respond-attach-bid-documents.ts';

/** Responds to the bids service: the documents in the body of a bid as they would be shown, without storing them (decision 0111). */
export function respondPreviewBidDocuments(
  deps: Pick<Deps, 'signedUrls' | 'fileRecords' | 'documents' | 'documentView'>,
): (payload: unknown) => Promise<PreviewDocumentsResponse> {
  return async (payload) => {
    const result = await attachmentResult(deps, payload, async (versions) => deps.documents.tryToAttach(versions));
    if ('refused' in result) return result;
    return { documents: result.versions.map((version) => deps.documentView(version, 'sealed')) };
  };
}
