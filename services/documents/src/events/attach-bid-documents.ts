import { AttachDocuments, type Attached } from '@procurement/contracts/events/bid-documents';
import { ProblemError } from '@procurement/kit/problem-error';
import type { Deps } from '../deps.ts';
import { attachDocuments, ofDocuments } from '../domain/document.attach.ts';

/**
 * Keeps the documents that come in the body of a bid, for the owner of bids, which then stores the bid: so there is no bid
 * without its documents, and documents whose bid did not come are seen by nobody.
 */
export function attachBidDocuments(
  deps: Pick<Deps, 'addresses' | 'documents'>,
): (question: unknown) => Promise<Attached> {
  return async (question) => {
    const { id: bidId, documents, ...rest } = AttachDocuments.parse(question);
    const wished = documents.map(({ id, sent }) => {
      const address = deps.addresses.readRegistration(sent['url'], sent['hash'] ?? undefined);
      return { id, sent, address };
    });
    const decided = attachDocuments({ bidId, ...rest, documents: wished });
    if ('refused' in decided) return decided;
    try {
      await deps.documents.attach(decided.versions);
      return { attached: decided.versions.length };
    } catch (error) {
      if (error instanceof ProblemError) return { refused: ofDocuments(error.problem) };
      throw error;
    }
  };
}
