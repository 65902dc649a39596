import { z } from 'zod';
import { Tender } from './tender.ts';

/** A public change of a tender, as the change stream sends it (register.md 4.2). */
export const ChangeNotice = z
  .object({
    type: z.enum(['tender.created', 'tender.changed', 'tender.removed']),
    position: z.string().describe('The offset of this change in the feed'),
    id: z.string(),
    tenderID: z.string(),
    dateModified: z.iso.datetime({ offset: true }),
    rev: z.int(),
    status: z.string(),
    mode: z.literal('test').optional(),
    causes: z.array(z.string()),
    changed: z.array(z.string()).optional(),
    match: z.enum(['in', 'left']).optional(),
    folded: z.literal(true).optional(),
    tender: Tender.optional().describe('With `expand`: the whole tender, as it was public at this revision'),
  })
  .meta({ id: 'ChangeNotice' });
export type ChangeNotice = z.infer<typeof ChangeNotice>;
