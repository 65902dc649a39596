import { z } from 'zod';
import { TenderFacts } from '../resources/tender-facts.ts';

/** The tendering period is over: whoever keeps bids closes the tender and answers with `bid.set-sealed`. */
export const TenderingEnded = z.object({
  /** Of the tender. */
  id: z.string(),
  version: z.int(),
  /** The end of the period: no bid after it is in the set. */
  endDate: z.string(),
});
export type TenderingEnded = z.infer<typeof TenderingEnded>;

/** Nothing is left to be auctioned: bids are to be opened and the best of them awarded. */
export const QualificationDue = z.object({
  id: z.string(),
  version: z.int(),
  /** Time of the tender at which it came to this. */
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
 * A tender came to be, or changed: both carry all that siblings need, so any one of them is enough. The others come beside
 * them and call for something to be done.
 */
export const tenderEvents = {
  'tender.created': { schema: 'tender.created/1', data: TenderFacts },
  'tender.changed': { schema: 'tender.changed/1', data: TenderFacts },
  'tender.tendering-ended': { schema: 'tender.tendering-ended/1', data: TenderingEnded },
  'tender.qualification-due': { schema: 'tender.qualification-due/1', data: QualificationDue },
  'tender.cancelled': { schema: 'tender.cancelled/1', data: TenderCancelled },
} as const;
