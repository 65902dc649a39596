import { z } from 'zod';
import type { Description, Problem } from '../problems/problems.ts';

/** Request for the documents of some bids of a tender (`ask.documents.bids`). */
export const BidDocumentsRequest = z.object({
  /** Id of the tender. */
  id: z.string(),
  bids: z.array(z.string()),
  /** True once bids has opened them: their files get public addresses, even if documents has not applied the event yet. */
  opened: z.boolean(),
});
export type BidDocumentsRequest = z.infer<typeof BidDocumentsRequest>;

/** Every version of the documents of each bid, oldest first (http.md 2.4). Bids without documents are absent. */
export const BidDocuments = z.record(z.string(), z.array(z.looseObject({ id: z.string() })));
export type BidDocuments = z.infer<typeof BidDocuments>;

/** Response to `ask.documents.open`: the documents of the bids of this tender are public. */
export const BidDocumentsOpened = z.object({ opened: z.literal(true) });
export type BidDocumentsOpened = z.infer<typeof BidDocumentsOpened>;

/** Documents in the body of a bid, sent to documents before the bid is stored (bids-awards-auction.md 1.6). */
export const AttachDocumentsRequest = z.object({
  /** Id of the bid, which is not stored yet. */
  id: z.string(),
  tenderId: z.string(),
  /** Broker of the bid: must have registered the files, and takes the quota of their documents. */
  owner: z.string(),
  /** Tender time of the bid. */
  at: z.string(),
  documents: z.array(z.object({ id: z.string(), sent: z.record(z.string(), z.unknown()) })),
});
export type AttachDocumentsRequest = z.infer<typeof AttachDocumentsRequest>;

const DescriptionShape: z.ZodType<Description> = z.lazy(() =>
  z.union([z.string(), z.array(DescriptionShape), z.record(z.string(), DescriptionShape)]),
);
const ProblemShape = z.object({
  code: z.string(),
  status: z.int(),
  errors: z.array(z.object({ location: z.string(), name: z.string(), description: DescriptionShape })),
});

/** All documents were stored (hidden until the bid exists), or none. */
export type AttachDocumentsResponse = { readonly attached: number } | { readonly refused: Problem };
export const AttachDocumentsResponse: z.ZodType<AttachDocumentsResponse> = z.union([
  z.object({ attached: z.int() }),
  z.object({ refused: ProblemShape }),
]);

/** Response to `ask.documents.preview`, whose request is that of `ask.documents.attach`: the documents as they would be shown. */
export type PreviewDocumentsResponse =
  | { readonly documents: readonly { readonly id: string }[] }
  | { readonly refused: Problem };
export const PreviewDocumentsResponse: z.ZodType<PreviewDocumentsResponse> = z.union([
  z.object({ documents: z.array(z.looseObject({ id: z.string() })) }),
  z.object({ refused: ProblemShape }),
]);
