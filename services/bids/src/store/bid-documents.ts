import {
  Attached,
  BidDocuments,
  type AskedBidDocuments,
  type AttachDocuments,
} from '@procurement/contracts/events/bid-documents';
import { askSubjects } from '@procurement/contracts/events/subjects';
import { problem } from '@procurement/contracts/problems';
import { ask } from '@procurement/kit/ask';
import type { Bus } from '@procurement/kit/bus';
import { ProblemError } from '@procurement/kit/problem-error';

/** What bids need of the documents service. Nothing of a sealed bid's files is told by events, so it is asked. */
export interface BidDocumentsOwner {
  /** By bid. None of any while nobody answers, because what is offered does not hang on another service. */
  of(question: AskedBidDocuments): Promise<BidDocuments>;
  /** Has it keep what came in the body of a bid. Throws what stands against one of them; 503 when nobody answers. */
  attach(wish: AttachDocuments): Promise<void>;
}

// As long as a write of the documents service may take at most: it waits for locks no longer than that.
const ATTACH_MS = 5_000;

export function bidDocumentsOwner(bus: Bus): BidDocumentsOwner {
  return {
    async of(question) {
      if (question.bids.length === 0) return {};
      const asked = await ask(bus, askSubjects.bidDocuments, question);
      const found = asked.kind === 'answer' ? BidDocuments.safeParse(asked.value) : undefined;
      return found?.success === true ? found.data : {};
    },
    async attach(wish) {
      const asked = await ask(bus, askSubjects.attachDocuments, wish, ATTACH_MS);
      if (asked.kind === 'unavailable') {
        throw new ProblemError(problem('service.unavailable', {}, { 'retry-after': '5' }));
      }
      const answer = Attached.parse(asked.value);
      if ('refused' in answer) throw new ProblemError(answer.refused);
    },
  };
}
