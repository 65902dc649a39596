import { TenderFacts } from '../resources/tender-facts.ts';

/** A tender came to be, or changed: both carry all that siblings need, so any one of them is enough. */
export const tenderEvents = {
  'tender.created': { schema: 'tender.created/1', data: TenderFacts },
  'tender.changed': { schema: 'tender.changed/1', data: TenderFacts },
} as const;
