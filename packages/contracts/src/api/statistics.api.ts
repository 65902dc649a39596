import { z } from 'zod';
import { StatisticsCell, StatisticsQuery } from '../resources/statistics.ts';
import type { RouteContract } from './route.ts';

/** Sums over public tenders (register.md 6.6). */
export const statisticsApi = {
  getStatistics: {
    name: 'getStatistics',
    method: 'GET',
    path: '/statistics',
    owner: 'register',
    rateClass: 'search',
    spore: 'get_statistics',
    summary: 'Statistics of tenders',
    description:
      'Tenders by day or month of their publication, by method, code, delivery region or buyer. A tender counts when it was published; measures show what is public now, so that earlier periods still change. Tenders with several codes or regions count in each of them: `overlapping`.',
    segments: ['2.5'],
    query: StatisticsQuery,
    responses: { 200: z.array(StatisticsCell) },
    example: {
      data: [
        {
          key: '2026-03',
          tenders: 3,
          amount: 150000,
          otherCurrencies: { USD: { tenders: 1, amount: 2000 } },
          opened: 2,
          bids: 5,
          competition: 2.5,
          singleBid: 0,
          complete: 1,
          unsuccessful: 0,
          cancelled: 0,
          active: 2,
          contracted: 88000,
          expected: 100000,
          savings: 12000,
          savingsRate: 0.12,
          signed: 1,
          amended: 1,
          terminated: 0,
          contractedNow: 91000,
          paid: 0,
          overrun: 3000,
          daysToContract: { mean: 29, p50: 21, p90: 21, count: 1 },
        },
      ],
      from: '2026-03-01',
      to: '2026-03-31',
    },
    beside: {
      from: z.iso.date().describe('First day that was counted'),
      to: z.iso.date().describe('Last day that was counted'),
      overlapping: z.literal(true).optional().describe('Sums over cells count some tenders more than once'),
      next_page: z.object({ cursor: z.string(), path: z.string(), uri: z.string() }).optional(),
    },
  },
} as const satisfies Record<string, RouteContract>;
