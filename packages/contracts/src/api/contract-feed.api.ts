import { z } from 'zod';
import { ContractFeedQuery, FeedEntry } from '../resources/feed.ts';
import type { RouteContract } from './route.ts';

/** The feed of contracts (contracting.md 3). */
export const contractFeedApi = {
  listAllContracts: {
    name: 'listAllContracts',
    method: 'GET',
    path: '/contracts',
    owner: 'awards',
    spore: 'get_contracts',
    summary: 'Contracts feed',
    description:
      'All contracts in every status, in the order of their last change, oldest first, in pages. Follow `next_page` for ever to see every change: a contract that changes comes again. Contracts of tenders with `mode` test are left out unless the parameter `mode` asks for them.',
    segments: ['2.5'],
    query: ContractFeedQuery,
    responses: { 200: z.array(FeedEntry) },
  },
} as const satisfies Record<string, RouteContract>;
