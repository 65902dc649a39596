import type { Deps } from '../deps.ts';
import type { BidEvent } from '../domain/bid.ts';

/**
 * Has the documents service store the documents in the body of a bid, before the bid itself is stored: an acknowledged bid has
 * its documents, and documents without a bid are never shown (bids-awards-auction.md 1.6, decision 0034). Run again with the
 * same ids it changes nothing. Throws the refusal of a document, or 503 when the documents service does not answer.
 */
export async function attachDocuments(
  { documents }: Pick<Deps, 'documents'>,
  [event]: readonly BidEvent[],
  documentIds: readonly string[],
): Promise<void> {
  if (event?.type !== 'BidRegistered' || event.documents.length === 0) return;
  const { bid } = event;
  await documents.attach({
    id: bid.id,
    tenderId: bid.tenderId,
    owner: bid.owner,
    at: bid.document.date,
    documents: event.documents.map((sent, index) => ({ id: idAt(documentIds, index), sent })),
  });
}

function idAt(ids: readonly string[], index: number): string {
  const id = ids[index];
  if (id === undefined) throw new Error('a document of a bid has no id');
  return id;
}
