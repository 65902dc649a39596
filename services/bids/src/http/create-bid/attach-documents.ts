import { Attached, type AttachDocuments } from '@procurement/contracts/events/bid-documents';
import { askSubjects } from '@procurement/contracts/events/subjects';
import { problem } from '@procurement/contracts/problems';
import { ask } from '@procurement/kit/ask';
import type { Mint } from '@procurement/kit/ids';
import { ProblemError } from '@procurement/kit/problem-error';
import type { Deps } from '../../deps.ts';
import type { BidEvent } from '../../domain/bid.ts';

// As long as a write of the documents service may take at most: it waits for locks no longer than that.
const ANSWER_MS = 5_000;

/**
 * Has the documents service keep what came in the body of a bid, before the bid is stored: a bid that was acknowledged has its
 * documents, and documents without a bid are seen by nobody (bids-awards-auction.md 1.6). Throws what stands against one of
 * them; 503 when they could not be handed on, and then there is no bid either.
 */
export function attachDocuments(
  { bus }: Pick<Deps, 'bus'>,
  mint: Pick<Mint, 'id'>,
): (events: readonly BidEvent[]) => Promise<void> {
  // The bid may be decided twice; its documents are the same then.
  const ids: string[] = [];
  return async ([event]) => {
    if (event?.type !== 'BidRegistered' || event.documents.length === 0) return;
    const { bid } = event;
    const documents = event.documents.map((sent, at) => ({ id: (ids[at] ??= mint.id()), sent }));
    const question: AttachDocuments = { id: bid.id, tenderId: bid.tenderId, at: bid.document.date, documents };
    const asked = await ask(bus, askSubjects.attachDocuments, question, ANSWER_MS);
    if (asked.kind === 'unavailable') {
      throw new ProblemError(problem('service.unavailable', {}, { 'retry-after': '5' }));
    }
    const answer = Attached.parse(asked.value);
    if ('refused' in answer) throw new ProblemError(answer.refused);
  };
}
