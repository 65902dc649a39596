import { z } from 'zod';
import type { Description, Problem } from '../problems/problems.ts';

/** Which documents the owner of bids asks for. */
export const BidDocumentsRequest = z.object({
  /** Of the tender. */
  id: z.string(),
  bids: z.array(z.string()),
  /** Its owner has opened the bids, however late that is known elsewhere: their files may have public addresses. */
  opened: z.boolean(),
});
export type BidDocumentsRequest = z.infer<typeof BidDocumentsRequest>;

/** Every version of the documents of each bid, oldest first (http.md 2.4); a bid without any is left out. */
export const BidDocuments = z.record(z.string(), z.array(z.looseObject({ id: z.string() })));
export type BidDocuments = z.infer<typeof BidDocuments>;

/** Documents in the body of a bid, which the owner of bids hands on before it stores the bid (bids-awards-auction.md 1.6). */
export const AttachDocumentsRequest = z.object({
  /** Of the bid that will be there if it is stored. */
  id: z.string(),
  tenderId: z.string(),
  /** The moment of the bid, as its tender's clock shows it. */
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

/** What came of it: all are kept, seen by nobody until the bid is there, or none is. */
export type AttachDocumentsResponse = { readonly attached: number } | { readonly refused: Problem };
export const AttachDocumentsResponse: z.ZodType<AttachDocumentsResponse> = z.union([
  z.object({ attached: z.int() }),
  z.object({ refused: ProblemShape }),
]);
