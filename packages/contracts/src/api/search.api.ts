import { z } from 'zod';
import {
  BuyersQuery,
  FoundBuyer,
  FoundTender,
  SearchFacets,
  SearchQuery,
  SearchSpelling,
  SearchTotal,
} from '../resources/search.ts';
import { Tender } from '../resources/tender.ts';
import type { RouteContract } from './route.ts';

/** Tenders by words and filters, and buyers by name (register.md 6.2). */
export const searchApi = {
  searchTenders: {
    name: 'searchTenders',
    method: 'GET',
    path: '/search',
    owner: 'register',
    rateClass: 'search',
    spore: 'get_search',
    summary: 'Search of tenders',
    description:
      'Public tenders by words in any form of them, and by filters. Filters are joined by AND, entries of one list by OR. A page may have fewer entries than `limit`, even none: the walk ends when `next_page` is absent. What would take too long is refused with 422.',
    segments: ['2.5'],
    query: SearchQuery,
    responses: { 200: z.array(z.union([FoundTender, Tender])) },
    example: {
      data: [
        {
          id: '5e1c0f3a9d5b4b0d8a7c2f6e4b1d9a30',
          tenderID: 'UA-2026-03-02-000001',
          dateModified: '2026-03-31T10:12:30.550000+03:00',
          status: 'complete',
          procurementMethodType: 'belowThreshold',
          title: 'Папір офісний А4',
          value: { amount: 100000, currency: 'UAH' },
          procuringEntity: { name: 'Ліцей № 27', identifier: { scheme: 'UA-EDR', id: '25733061' } },
          cpv: ['30197630-1'],
          region: ['UA-32'],
          tenderPeriod: { endDate: '2026-03-16T10:00:00+02:00' },
          numberOfBids: 2,
          created: '2026-03-02T09:15:02.000000+02:00',
        },
      ],
      total: { value: 1, relation: 'eq' },
      facets: { status: [{ key: 'complete', count: 1 }], exact: true, of: 1 },
      spelling: { папер: ['папір'] },
    },
    beside: {
      total: SearchTotal.optional(),
      facets: SearchFacets.optional(),
      spelling: SearchSpelling.optional(),
      next_page: z.object({ cursor: z.string(), path: z.string(), uri: z.string() }).optional(),
    },
  },
  searchBuyers: {
    name: 'searchBuyers',
    method: 'GET',
    path: '/search/buyers',
    owner: 'register',
    rateClass: 'search',
    spore: 'get_search_buyers',
    summary: 'Search of buyers',
    description:
      'Up to 20 procuring entities of public tenders by the begin of a word of their name or id, or by a similar name, with the number of their tenders. `buyer` of `/search` takes `<scheme>-<id>`.',
    segments: ['2.5'],
    query: BuyersQuery,
    responses: { 200: z.array(FoundBuyer) },
    example: { data: [{ scheme: 'UA-EDR', id: '25733061', name: 'Ліцей № 27', tenders: 12 }] },
  },
} as const satisfies Record<string, RouteContract>;
