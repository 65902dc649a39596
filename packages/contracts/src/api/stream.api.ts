import { z } from 'zod';
import { PUBLICATION_CAUSES } from '../resources/causes.ts';
import { amount, cursor, formed, listForm, listOfWords, regions } from '../resources/query.ts';
import { CommonFilters, currency } from '../resources/search.ts';
import { STREAM_EVENTS } from '../resources/stream-events.ts';
import type { RouteContract } from './route.ts';

/** Parameters of the stream, for OpenAPI and SPORE (register.md 3.3, 4.1). */
const StreamQuery = z.object({
  offset: cursor(64).optional().describe('Changes after this offset of the feed; without it, from now'),
  lastEventId: z
    .string()
    .max(64)
    .optional()
    .describe('For clients that cannot set the header Last-Event-ID, which wins'),
  heartbeat: z
    .int()
    .min(5)
    .max(60)
    .optional()
    .describe('Seconds of silence after which a heartbeat is sent. Default 15'),
  expand: z.literal('1').optional().describe('Each change has the whole tender in `tender`. Needs a key'),
  ...CommonFilters,
  ids: formed(listForm('[0-9a-f]{32}', 100)).optional().describe('Up to 100 ids of tenders'),
  region: regions().optional().describe('ISO 3166-2:UA codes, or names, of delivery regions'),
  amountFrom: amount().optional().describe('Least `value.amount`'),
  amountTo: amount().optional().describe('Greatest `value.amount`'),
  currency: currency('Currency of the amounts. Default UAH'),
  causes: listOfWords(PUBLICATION_CAUSES).optional().describe('What made the change'),
});

/** Changes of tenders as they happen (register.md 4). */
export const streamApi = {
  openStream: {
    name: 'openStream',
    method: 'GET',
    path: '/stream',
    owner: 'register',
    stream: true,
    rateClass: 'stream',
    spore: 'get_stream',
    summary: 'Stream of changes',
    description:
      'Every public change of tenders as server-sent events, in the order of the feed. The id of an event is its offset: a client that reconnects with its last id misses nothing. With filters, `match` says whether a tender is in the set or has left it. With `expand`, which needs a key, each change has the whole tender of that revision. Events with a name are `hello`, `behind`, `reset` and `bye`; a change has none.',
    segments: ['2.5'],
    query: StreamQuery,
    responses: { 200: z.union(Object.values(STREAM_EVENTS)) },
    example: {
      id: '1772609412.105000',
      data: JSON.stringify({
        type: 'tender.changed',
        position: '1772609412.105000',
        id: '5e1c0f3a9d5b4b0d8a7c2f6e4b1d9a30',
        tenderID: 'UA-2026-03-02-000001',
        dateModified: '2026-03-04T09:30:12.105000+02:00',
        rev: 2,
        status: 'active.enquiries',
        causes: ['question.answered'],
        changed: ['questions'],
      }),
    },
  },
} as const satisfies Record<string, RouteContract>;
