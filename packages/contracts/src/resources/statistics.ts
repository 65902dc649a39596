import { z } from 'zod';
import { atLeast } from './lookup.ts';
import { cursor, date, formed, listForm, listOfTexts, regions } from './query.ts';

/** What tenders are counted by (register.md 6.6). */
export const STATISTICS_BY = ['day', 'month', 'method', 'cpv', 'region', 'buyer'] as const;

/** Measures of a cell, by which those of buyers and codes can be ordered. */
export const STATISTICS_MEASURES = [
  'tenders',
  'amount',
  'opened',
  'bids',
  'competition',
  'singleBid',
  'complete',
  'unsuccessful',
  'cancelled',
  'active',
  'contracted',
  'expected',
  'savings',
  'savingsRate',
  'signed',
  'amended',
  'terminated',
  'contractedNow',
  'paid',
  'overrun',
  'daysToContract',
] as const;

/** Parameters of the statistics, for OpenAPI and SPORE. */
export const StatisticsQuery = z.object({
  by: z.enum(STATISTICS_BY).describe('What the tenders are counted by'),
  cpvDigits: z.int().min(2).max(4).optional().describe('With `by=cpv`: digits of the codes. Default 2'),
  from: date()
    .optional()
    .describe(
      'First day of publication; except for `by=day` its whole month counts. Default: 12 months, 31 days for `day`',
    ),
  to: date().optional().describe('Last day of publication, or any day of the last month. Default today'),
  mode: z.enum(['test', '_all_']).optional().describe('test: test tenders only; _all_: all tenders'),
  method: listOfTexts(64)
    .optional()
    .describe('Values of `procurementMethodType`. Not with `cpvDigits` above 2, nor by buyer'),
  region: regions()
    .optional()
    .describe('ISO 3166-2:UA codes, or names, of delivery regions. By month, method, region, cpv'),
  cpv: formed(listForm('[0-9]{2,4}'))
    .optional()
    .describe('Prefixes of codes. By month, method, region: 2 digits; by cpv: at most `cpvDigits`'),
  buyer: listOfTexts(200).optional().describe('`<scheme>-<id>` of buyers. By buyer'),
  sort: z
    .enum(STATISTICS_MEASURES.flatMap((measure) => [measure, `-${measure}` as const]))
    .optional()
    .describe('By buyer or cpv. Default -tenders'),
  limit: z.int().min(1).max(100).optional().describe('By buyer or cpv. Default 100'),
  cursor: cursor(512).optional().describe('Of `next_page`'),
  at_least: atLeast,
});

/** Sums over the tenders of one day, month, method, code, region or buyer. Amounts are in UAH. */
export const StatisticsCell = z
  .object({
    key: z.string(),
    label: z.string().optional().describe('Name of the buyer'),
    tenders: z.int(),
    amount: z.number().describe('Sum of `value.amount`'),
    otherCurrencies: z.record(z.string(), z.object({ tenders: z.int(), amount: z.number() })).optional(),
    opened: z.int().describe('Tenders with public bids'),
    bids: z.int().describe('Their bids'),
    competition: z.number().optional().describe('Bids of an opened tender'),
    singleBid: z.number().optional().describe('Share of the opened tenders that have one bid'),
    complete: z.int(),
    unsuccessful: z.int(),
    cancelled: z.int(),
    active: z.int(),
    contracted: z.number().describe('Sum of the active contracts of complete tenders'),
    expected: z.number().describe('Sum of the values of the same tenders'),
    savings: z.number().describe('Their difference'),
    savingsRate: z.number().optional(),
    signed: z.int().describe('Signed contracts'),
    amended: z.int().describe('Those with a change in force'),
    terminated: z.int().describe('Those that ended'),
    contractedNow: z.number().describe('Sum of the contracts of `contracted` as they are now'),
    paid: z.number().describe('Sum of `amountPaid` of the contracts that ended'),
    overrun: z.number().describe('`contractedNow` less `contracted`'),
    daysToContract: z
      .object({ mean: z.number(), p50: z.int(), p90: z.int(), count: z.int() })
      .optional()
      .describe('From publication to the last signature; percentiles are first days of 24 buckets'),
  })
  .meta({ id: 'StatisticsCell' });
