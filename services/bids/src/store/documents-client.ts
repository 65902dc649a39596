import {
  AttachDocumentsResponse,
  BidDocuments,
  type BidDocumentsRequest,
  type AttachDocumentsRequest,
} from '@procurement/contracts/events/bid-documents';
import { rpcSubjects } from '@procurement/contracts/events/subjects';
import { problem } from '@procurement/contracts/problems/problems';
import { sendRequest } from '@procurement/kit/messaging/request';
import type { Bus } from '@procurement/kit/messaging/bus';
import { ProblemError } from '@procurement/kit/http/problem-error';

/** What bids need of the documents service. Nothing of a sealed bid's files is told by events, so it is asked. */
export interface DocumentsClient {
  /** By bid. None of any while nobody answers, because what is offered does not hang on another service. */
  bidDocuments(question: BidDocumentsRequest): Promise<BidDocuments>;
  /** Has it keep what came in the body of a bid. Throws what stands against one of them; 503 when nobody answers. */
  attach(command: AttachDocumentsRequest): Promise<void>;
}

// As long as a write of the documents service may take at most: it waits for locks no longer than that.
const ATTACH_TIMEOUT_MS = 5_000;

export function documentsClient(bus: Bus): DocumentsClient {
  return {
    async bidDocuments(question) {
      if (question.bids.length === 0) return {};
      const response = await sendRequest(bus, rpcSubjects.bidDocuments, question);
      const parsed = response.kind === 'answer' ? BidDocuments.safeParse(response.value) : undefined;
      return parsed?.success === true ? parsed.data : {};
    },
    async attach(wish) {
      const asked = await sendRequest(bus, rpcSubjects.attachDocuments, wish, ATTACH_TIMEOUT_MS);
      if (asked.kind === 'unavailable') {
        throw new ProblemError(problem('service.unavailable', {}, { 'retry-after': '5' }));
      }
      const outcome = AttachDocumentsResponse.parse(asked.value);
      if ('refused' in outcome) throw new ProblemError(outcome.refused);
    },
  };
}
