import { z } from 'zod';

/** Parameters of the feed, for OpenAPI and SPORE only. Invalid values are ignored, except of `offset` and `limit` (http.md 1.2). */
export const FeedQuery = z.object({
  offset: z
    .string()
    .optional()
    .describe('Exclusive bound: an offset from `next_page`, an ISO 8601 date or time, or unix seconds'),
  limit: z
    .int()
    .min(1)
    .max(1000)
    .optional()
    .describe('Rows of a page. Default 100; at most 100 with opt_fields that are not usual'),
  descending: z.string().optional().describe('Any text: newest first'),
  mode: z
    .enum(['test', '_all_'])
    .optional()
    .describe(
      'test: test tenders only; _all_: all tenders. Without it tenders that are not tests; on 2.3, 0 and 0.1 of a sandbox all tenders',
    ),
  feed: z.enum(['dateModified', 'changes']).optional().describe('changes: offsets are opaque texts'),
  opt_fields: z.string().max(2_000).optional().describe('Top-level members to add to each row, separated by commas'),
  opt_pretty: z.string().optional().describe('Any text: the answer is indented by four spaces'),
  opt_jsonp: z.string().optional().describe('Name of a callback function to wrap the answer in (JSONP)'),
});

/** Parameters that the older segments ignore. */
export const FeedQueryOf25 = z.object({
  opt_expand: z
    .enum(['1'])
    .optional()
    .describe(
      'Rows are whole tenders: at most 100, and at most 4 MiB of them unless one is larger. opt_fields has no effect then',
    ),
});

/** Parameters of the feed of contracts, which is on segment 2.5 only. */
export const ContractFeedQuery = FeedQuery.extend({
  mode: z
    .enum(['test', '_all_'])
    .optional()
    .describe(
      'test: contracts of test tenders only; _all_: all contracts. Without it contracts of tenders that are not tests',
    ),
  feed: z.enum(['dateModified', 'changes']).optional().describe('Both feeds have the same offsets'),
  opt_expand: z
    .enum(['1'])
    .optional()
    .describe(
      'Rows are whole contracts: at most 100, and at most 4 MiB of them unless one is larger. opt_fields has no effect then',
    ),
});

/** One row of a feed. `opt_fields` adds members, `opt_expand` on segment 2.5 the whole object. */
export const FeedEntry = z
  .looseObject({ id: z.string(), dateModified: z.iso.datetime({ offset: true }) })
  .meta({ id: 'FeedEntry' });
