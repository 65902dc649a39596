import { z } from 'zod';

/** The parameters of the feed, for the reference only: whatever is sent, reading them never fails but for `offset` (http.md 1.2). */
export const FeedQuery = z.object({
  offset: z.string().optional().describe('Exclusive bound: an offset we gave, an ISO date or time, or unix seconds'),
  limit: z
    .int()
    .min(1)
    .max(1000)
    .optional()
    .describe('Rows of a page, 100 by default; at most 100 with uncommon opt_fields'),
  descending: z.string().optional().describe('Any text: newest first'),
  mode: z.enum(['test', '_all_']).optional().describe('Absent: tenders without mode test'),
  feed: z.enum(['dateModified', 'changes']).optional().describe('changes: opaque offsets'),
  opt_fields: z.string().optional().describe('Comma list of top-level members to add to each row'),
  opt_pretty: z.string().optional().describe('Any text: indented by four spaces'),
  opt_jsonp: z.string().optional().describe('Name of a callback to wrap the answer in'),
});

/** One row of the feed; other members as asked for by `opt_fields`. */
export const FeedEntry = z
  .looseObject({ id: z.string(), dateModified: z.iso.datetime({ offset: true }) })
  .meta({ id: 'FeedEntry' });
