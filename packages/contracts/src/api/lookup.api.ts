import { z } from 'zod';
import { LookupEntry, LookupQuery } from '../resources/lookup.ts';
import type { RouteContract } from './route.ts';

/** Many tenders at once, by id or number (register.md 6.1). */
export const lookupApi = {
  lookupTenders: {
    name: 'lookupTenders',
    method: 'GET',
    path: '/lookup',
    owner: 'register',
    rateClass: 'lookup',
    spore: 'get_lookup',
    summary: 'Tenders by id or number, also of a contract',
    description:
      'Up to 100 tenders by `id` or `tenderID`, in the order asked. The `id` or `contractID` of a contract gives its tender, with the id as `contract`. What is no public tender or contract of one is listed in `missing`. With `expand` the answer has whole tenders, and lists in `deferred` what no longer fits.',
    segments: ['2.5'],
    query: LookupQuery,
    responses: { 200: z.array(LookupEntry) },
    example: {
      data: [
        {
          id: '5e1c0f3a9d5b4b0d8a7c2f6e4b1d9a30',
          tenderID: 'UA-2026-03-02-000001',
          dateModified: '2026-03-31T10:12:30.550000+03:00',
          status: 'complete',
        },
      ],
      missing: ['UA-2026-03-02-000002'],
    },
    beside: { missing: z.array(z.string()), deferred: z.array(z.string()).optional() },
  },
} as const satisfies Record<string, RouteContract>;
