import type { AttachDocumentsRequest } from '@procurement/contracts/events/bid-documents';
import type { Deps } from '../deps.ts';
import type { BidEvent } from '../domain/bid.ts';

/**
 * Has the documents service store the documents in the body of a bid, before the bid itself is stored: an acknowledged bid has
 * its documents, and documents without a bid are never shown (bids-awards-auction.md 1.6, decision 0031). Run again with the
 * same ids it changes nothing. Throws the refusal of a document, or 503 when the documents service does not answer.
 */
export async function attachDocuments(
  { documents }: Pick<Deps, 'documents'>,
  event: BidEvent | undefined,
  documentIds: readonly string[],
): Promise<void> {
  const request = attachRequest(event, documentIds);
  if (request !== undefined) await documents.attach(request);
}

/** The documents as they would be shown in the bid, for a dry run. Throws as `attachDocuments`, and stores nothing. */
export async function previewDocuments(
  { documents }: Pick<Deps, 'documents'>,
  event: BidEvent | undefined,
  documentIds: readonly string[],
): Promise<readonly { readonly id: string }[]> {
  const request = attachRequest(event, documentIds);
  return request === undefined ? [] : documents.preview(request);
}

function attachRequest(event: BidEvent | undefined, ids: readonly string[]): AttachDocumentsRequest | undefined {
  if (event?.type !== 'BidRegistered' || event.documents.length === 0) return undefined;
  const { bid } = event;
  return {
    id: bid.id,
    tenderId: bid.tenderId,
    owner: bid.owner,
    at: bid.document.date,
    documents: event.documents.map((sent, index) => ({ id: idAt(ids, index), sent })),
  };
}

function idAt(ids: readonly string[], index: number): string {
  const id = ids[index];
  if (id === undefined) throw new Error('a document of a bid has no id');
  return id;
}
