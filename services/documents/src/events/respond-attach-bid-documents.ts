import { AttachDocumentsRequest, type AttachDocumentsResponse } from '@procurement/contracts/events/bid-documents';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import type { Deps } from '../deps.ts';
import { resolveRegistration } from '../files/registration.ts';
import type { AddedVersion } from '../domain/document.ts';
import { attachDocuments, locateInDocuments } from '../domain/document.attach.ts';

/**
 * Responds to the bids service: stores the documents in the body of a bid, before that service stores the bid. So no bid exists
 * without its documents, and documents without a bid are never shown (decision 0031).
 */
export function respondAttachBidDocuments(
  deps: Pick<Deps, 'signedUrls' | 'fileRecords' | 'documents'>,
): (payload: unknown) => Promise<AttachDocumentsResponse> {
  return async (payload) => {
    const result = await attachmentResult(deps, payload, async (versions) => deps.documents.attach(versions));
    return 'refused' in result ? result : { attached: result.versions.length };
  };
}

/** The first versions of the documents in a request, after `attach` has accepted them; or the refusal. */
export async function attachmentResult(
  deps: Pick<Deps, 'signedUrls' | 'fileRecords'>,
  payload: unknown,
  attach: (versions: readonly AddedVersion[]) => Promise<void>,
): Promise<ReturnType<typeof attachDocuments>> {
  const { id: bidId, documents, owner, ...rest } = AttachDocumentsRequest.parse(payload);
  const resolved = await Promise.all(
    documents.map(async ({ id, sent }) => ({ id, sent, registration: await resolveRegistration(deps, sent, owner) })),
  );
  const attachment = attachDocuments({ bidId, ...rest, broker: owner, documents: resolved });
  if ('refused' in attachment) return attachment;
  try {
    await attach(attachment.versions);
    return attachment;
  } catch (error) {
    if (error instanceof ProblemError) return { refused: locateInDocuments(error.problem) };
    throw error;
  }
}
