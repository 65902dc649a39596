import {
  AttachDocumentsResponse,
  BidDocuments,
  BidDocumentsOpened,
  PreviewDocumentsResponse,
  type BidDocumentsRequest,
  type AttachDocumentsRequest,
} from '@procurement/contracts/events/bid-documents';
import { rpcSubjects } from '@procurement/contracts/events/subjects';
import { unavailable } from '@procurement/contracts/problems/problems';
import { sendRequest } from '@procurement/kit/messaging/request/request';
import type { Bus } from '@procurement/kit/messaging/bus';
import { ProblemError } from '@procurement/kit/runtime/problem-error';

/** Client of the documents service. Events say nothing about documents of sealed bids, so they are requested. */
export interface DocumentsClient {
  /** Documents by bid id. Empty while the service does not answer: the view of an offer must not depend on it. */
  bidDocuments(request: BidDocumentsRequest): Promise<BidDocuments>;
  /** Makes the documents of the opened bids of a tender public. False while the service does not answer. */
  open(tenderId: string): Promise<boolean>;
  /** Stores the documents in the body of a bid. Throws the refusal of one of them; 503 when the service does not answer. */
  attach(command: AttachDocumentsRequest): Promise<void>;
  /** The documents as `attach` would store them. Throws the same. */
  preview(command: AttachDocumentsRequest): Promise<readonly { readonly id: string }[]>;
}

// The longest write of the documents service: it waits for locks no longer than that.
const ATTACH_TIMEOUT_MS = 5_000;

export function documentsClient(bus: Bus): DocumentsClient {
  return {
    async bidDocuments(request) {
      if (request.bids.length === 0) return {};
      const response = await sendRequest(bus, rpcSubjects.bidDocuments, request);
      const parsed = response.kind === 'answer' ? BidDocuments.safeParse(response.value) : undefined;
      return parsed?.success === true ? parsed.data : {};
    },
    async open(tenderId) {
      const response = await sendRequest(bus, rpcSubjects.openBidDocuments, { id: tenderId });
      return response.kind === 'answer' && BidDocumentsOpened.safeParse(response.value).success;
    },
    async preview(command) {
      const response = await sendRequest(bus, rpcSubjects.previewDocuments, command, ATTACH_TIMEOUT_MS);
      if (response.kind === 'unavailable') throw new ProblemError(unavailable(5));
      const outcome = PreviewDocumentsResponse.parse(response.value);
      if ('refused' in outcome) throw new ProblemError(outcome.refused);
      return outcome.documents;
    },
    async attach(command) {
      const response = await sendRequest(bus, rpcSubjects.attachDocuments, command, ATTACH_TIMEOUT_MS);
      if (response.kind === 'unavailable') {
        throw new ProblemError(unavailable(5));
      }
      const outcome = AttachDocumentsResponse.parse(response.value);
      if ('refused' in outcome) throw new ProblemError(outcome.refused);
    },
  };
}
