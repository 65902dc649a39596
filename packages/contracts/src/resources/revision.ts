import { z } from 'zod';
import { atLeast } from './lookup.ts';
import { cursor, position } from './query.ts';

/** Parameters of a history, for OpenAPI and SPORE (register.md 7.1, 7.2). */
export const HistoryQuery = z.object({
  limit: z.int().min(1).max(1000).optional().describe('Revisions of a page. Default 100; at most 50 with `diff`'),
  cursor: cursor(40).optional().describe('From `next_page`'),
  descending: z.literal('1').optional().describe('Newest first'),
  diff: z.literal('1').optional().describe('Each revision has `patch`: how it differs from the one before'),
  at: position()
    .optional()
    .describe('An instant, in the forms of the offsets of the feed: the answer is the tender as it was public then'),
  at_least: atLeast,
});

export const RevisionQuery = z.object({
  exact: z
    .literal('1')
    .optional()
    .describe(
      'The published text alone, byte for byte as the log of published states has its hash: not beside opt_pretty or opt_jsonp',
    ),
  at_least: atLeast,
});

export const ChangesQuery = z.object({
  from: z
    .int()
    .min(0)
    .max(999_999_999)
    .optional()
    .describe('The revision to start from, older or newer. Default: the one before'),
  at_least: atLeast,
});

/** One operation of a JSON Patch (RFC 6902). */
export const PatchOperation = z
  .object({ op: z.enum(['add', 'remove', 'replace']), path: z.string(), value: z.unknown().optional() })
  .meta({ id: 'PatchOperation' });

/** One public state of a tender. */
export const Revision = z
  .object({
    rev: z.int().describe('The number in the ETag of the tender'),
    position: z.string().describe('The offset of this change in the feed'),
    dateModified: z.iso.datetime({ offset: true }),
    status: z.string(),
    causes: z
      .array(z.string())
      .describe('What made the change. The list of causes grows: accept those you do not know'),
    changed: z.array(z.string()).optional().describe('Top-level members that differ from the revision before'),
    bytes: z.int().describe('Length of the answer of GET /tenders/{tender_id} then'),
    folded: z.literal(true).optional().describe('Revisions before it are not kept'),
    redacted: z.literal(true).optional().describe('A member was removed by law'),
    uri: z.url(),
    patch: z.array(PatchOperation).optional(),
  })
  .meta({ id: 'Revision' });

/** Where a page of the register goes on. */
export const CursorLink = z
  .object({ cursor: z.string(), path: z.string(), uri: z.string() })
  .meta({ id: 'CursorLink' });
