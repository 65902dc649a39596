import { z } from 'zod';
import { TenderFacts } from '../resources/tender-facts.ts';

/** The tendering period ended: bids closes the tender and publishes `bid.set-sealed`. */
export const TenderingEnded = z.object({
  /** Id of the tender. */
  id: z.string(),
  version: z.int(),
  /** The end of the period: no bid after it is in the set. */
  endDate: z.string(),
});
export type TenderingEnded = z.infer<typeof TenderingEnded>;

/** No auction is left to run: bids opens the bids, and awards creates the first awards. */
export const QualificationDue = z.object({
  id: z.string(),
  version: z.int(),
  /** Tender time of the transition. */
  at: z.string(),
});
export type QualificationDue = z.infer<typeof QualificationDue>;

/** The tender was cancelled as a whole. */
export const TenderCancelled = z.object({
  id: z.string(),
  version: z.int(),
  /** Bids that were never opened are erased (tenders.md 14). */
  erasesBids: z.boolean(),
});
export type TenderCancelled = z.infer<typeof TenderCancelled>;

/**
 * `tender.created` and `tender.changed` carry all facts that other services need, so a consumer needs only the latest; a change of
 * nothing that is in them publishes none. The other types are published in addition to them and trigger an action of another service.
 */
export const tenderEvents = {
  'tender.created': { schema: 'tender.created/1', data: TenderFacts },
  'tender.changed': { schema: 'tender.changed/1', data: TenderFacts },
  'tender.tendering-ended': { schema: 'tender.tendering-ended/1', data: TenderingEnded },
  'tender.qualification-due': { schema: 'tender.qualification-due/1', data: QualificationDue },
  'tender.cancelled': { schema: 'tender.cancelled/1', data: TenderCancelled },
} as const;
