import type { IdGenerator } from '@procurement/kit/runtime/ids';
import type { Deps } from '../deps.ts';
import type { BidEvent } from '../domain/bid.ts';

/**
 * Has the documents service keep what came in the body of a bid, before the bid is stored: a bid that was acknowledged has its
 * documents, and documents without a bid are seen by nobody (bids-awards-auction.md 1.6). Throws what stands against one of
 * them; 503 when they could not be handed on, and then there is no bid either.
 */
export function attachDocuments(
  { documents }: Pick<Deps, 'documents'>,
  ids: Pick<IdGenerator, 'next'>,
): (events: readonly BidEvent[]) => Promise<void> {
  // The bid may be decided twice; its documents are the same then.
  const documentIds: string[] = [];
  return async ([event]) => {
    if (event?.type !== 'BidRegistered' || event.documents.length === 0) return;
    const { bid } = event;
    await documents.attach({
      id: bid.id,
      tenderId: bid.tenderId,
      at: bid.document.date,
      documents: event.documents.map((sent, at) => ({ id: (documentIds[at] ??= ids.next()), sent })),
    });
  };
}
