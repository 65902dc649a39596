import { AttachDocumentsRequest, type AttachDocumentsResponse } from '@procurement/contracts/events/bid-documents';
import { ProblemError } from '@procurement/kit/http/problem-error';
import type { Deps } from '../deps.ts';
import { attachDocuments, locateInDocuments } from '../domain/document.attach.ts';

/**
 * Keeps the documents that come in the body of a bid, for the owner of bids, which then stores the bid: so there is no bid
 * without its documents, and documents whose bid did not come are seen by nobody.
 */
export function respondAttachBidDocuments(
  deps: Pick<Deps, 'signedUrls' | 'documents'>,
): (question: unknown) => Promise<AttachDocumentsResponse> {
  return async (question) => {
    const { id: bidId, documents, ...rest } = AttachDocumentsRequest.parse(question);
    const resolved = documents.map(({ id, sent }) => {
      const registration = deps.signedUrls.verifyRegistration(sent['url'], sent['hash'] ?? undefined);
      return { id, sent, registration };
    });
    const attachment = attachDocuments({ bidId, ...rest, documents: resolved });
    if ('refused' in attachment) return attachment;
    try {
      await deps.documents.attach(attachment.versions);
      return { attached: attachment.versions.length };
    } catch (error) {
      if (error instanceof ProblemError) return { refused: locateInDocuments(error.problem) };
      throw error;
    }
  };
}
