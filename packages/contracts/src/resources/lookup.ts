import { z } from 'zod';
import { listForm, position } from './query.ts';

/** An id, or a number such as `tenderID` and `contractID`. */
export const OBJECT_KEY = '[0-9A-Fa-f]{32}|[Uu][Aa]-[0-9]{4}-[0-9]{2}-[0-9]{2}-[0-9]{6}(?:-[0-9A-Za-z_-]+)?';

/** A position in the log of publications, in the form of feed offsets (http.md 1.3). */
export const atLeast = position()
  .optional()
  .describe(
    'A position (offset of the feed, `dateModified`): the answer waits up to 2 seconds to contain it, else it is 503',
  );

/** Parameters of the lookup, for OpenAPI and SPORE (register.md 6.1). */
export const LookupQuery = z.object({
  ids: z
    .string()
    .regex(new RegExp(`^${listForm(OBJECT_KEY, 100)}$`))
    .describe(
      '1 to 100, separated by commas: `id` or `tenderID`, or `id` or `contractID` of contracts, which give their tenders',
    ),
  expand: z.literal('1').optional().describe('Whole tenders, up to 8 MB of them; the others are in `deferred`'),
  at_least: atLeast,
});

/** A tender that was looked up; with `expand` the whole tender. */
export const LookupEntry = z
  .looseObject({
    id: z.string(),
    tenderID: z.string(),
    dateModified: z.iso.datetime({ offset: true }),
    status: z.string(),
    mode: z.literal('test').optional(),
    contract: z.string().optional().describe('`id` of the contract that was asked for'),
  })
  .meta({ id: 'LookupEntry' });
