import { z } from 'zod';
import { CHANGE_RATIONALE_TYPES } from './change-rationale-types.ts';
import { CONTRACT_STATUSES } from './contract.ts';
import { atLeast, OBJECT_KEY } from './lookup.ts';
import {
  amount,
  cursor,
  cpvCodes,
  formed,
  listForm,
  listOfTexts,
  listOfWords,
  dateTime as momentParameter,
  regions,
} from './query.ts';
import { TENDER_STATUSES } from './tender.ts';

/** Orders of a search (register.md 6.2). */
export const SEARCH_SORTS = [
  '-created',
  'created',
  'relevance',
  'tenderEnd',
  '-amount',
  'amount',
  '-modified',
] as const;

export const FACETS = ['status', 'method', 'cpv', 'region', 'buyer'] as const;

const dateTime = z.iso.datetime({ offset: true });
const from = (what: string) => momentParameter().optional().describe(`${what} at this ISO date or time, or later`);
const to = (what: string) =>
  momentParameter().optional().describe(`${what} at this ISO time or earlier; a date means its whole day`);

/** `active` is every `active.*`. */
const FILTERED_STATUSES = ['active', ...TENDER_STATUSES] as const;

/** Filters of stream and search (register.md 3.3). */
export const CommonFilters = {
  mode: z.enum(['test', '_all_']).optional().describe('test: test tenders only; _all_: all tenders'),
  status: listOfWords(FILTERED_STATUSES).optional().describe('Statuses; `active` means every `active.*`'),
  method: listOfTexts(64).optional().describe('Values of `procurementMethodType`'),
  cpv: cpvCodes().optional().describe('Codes, or prefixes of 2 to 8 digits, of items'),
  buyer: listOfTexts(128).optional().describe('`<scheme>-<id>`, or ids, of procuring entities'),
} as const;

/** The parameter `currency`. An empty value counts as absent. */
export const currency = (description: string) => formed('[A-Z]{3}').optional().describe(description);

/** Parameters of the search, for OpenAPI and SPORE (register.md 3.3, 6.2). */
export const SearchQuery = z.object({
  q: z
    .string()
    .max(256)
    .optional()
    .describe('Up to 10 words: all of them; "a phrase"; -not; OR; a prefix of at least 3 letters with *'),
  ...CommonFilters,
  supplier: listOfTexts(128).optional().describe('The same, of suppliers of awards'),
  bidder: listOfTexts(128).optional().describe('The same, of tenderers of public bids'),
  region: regions().optional().describe('ISO 3166-2:UA codes, or names, of delivery regions'),
  buyerRegion: regions().optional().describe('The same, of procuring entities'),
  contract: formed(listForm(OBJECT_KEY)).optional().describe('`id` or `contractID` of contracts'),
  contractStatus: listOfWords(CONTRACT_STATUSES)
    .optional()
    .describe('Present statuses of contracts; `active` and `terminated` ones are signed'),
  rationale: listOfWords(CHANGE_RATIONALE_TYPES)
    .optional()
    .describe('`rationaleTypes` of changes in force of contracts'),
  amountFrom: amount().optional().describe('Least `value.amount`'),
  amountTo: amount().optional().describe('Greatest `value.amount`'),
  currency: currency('Currency of the amounts, also of an order by amount. Default UAH'),
  createdFrom: from('Published'),
  createdTo: to('Published'),
  tenderEndFrom: from('`tenderPeriod.endDate`'),
  tenderEndTo: to('`tenderPeriod.endDate`'),
  modifiedFrom: from('`dateModified`'),
  modifiedTo: to('`dateModified`'),
  sort: z
    .enum(SEARCH_SORTS)
    .optional()
    .describe(
      'Default relevance with words in `q`, else -created. Relevance ends after 1,000. Tenders without the value are left out',
    ),
  limit: z.int().min(1).max(100).optional().describe('Default 20; at most 50 with `expand`'),
  cursor: cursor(256).optional().describe('Of `next_page`'),
  facets: listOfWords(FACETS)
    .optional()
    .describe(`Counts of values, of ${FACETS.join(', ')}`),
  total: z.literal('1').optional().describe('Counts matches, up to 10,000'),
  expand: z.literal('1').optional().describe('Whole tenders, up to 8 MB on a page'),
  at_least: atLeast,
});

/** A tender that was found; with `expand` the whole tender. Members that the tender lacks are absent. */
export const FoundTender = z
  .looseObject({
    id: z.string(),
    tenderID: z.string(),
    dateModified: dateTime,
    status: z.string(),
    mode: z.literal('test').optional(),
    procurementMethodType: z.string().optional(),
    title: z.string().optional(),
    title_en: z.string().optional(),
    value: z.object({ amount: z.number(), currency: z.string() }).optional(),
    procuringEntity: z
      .object({ name: z.string().optional(), identifier: z.object({ scheme: z.string(), id: z.string() }).partial() })
      .optional(),
    cpv: z.array(z.string()).optional().describe('Codes of the items'),
    region: z.array(z.string()).optional().describe('Delivery regions of the items'),
    tenderPeriod: z.object({ endDate: dateTime }).optional(),
    numberOfBids: z.int().optional(),
    contracted: z.number().optional().describe('Sum of the active contracts'),
    paid: z.number().optional().describe('Sum of `amountPaid` of the contracts that ended'),
    created: dateTime.optional().describe('When it was published; absent with `expand`'),
  })
  .meta({ id: 'FoundTender' });

const STORABLE = String.raw`[^\u0000]`;
const LETTER = String.raw`\p{L}|\p{N}`;

/** Parameters of the search of buyers, for OpenAPI and SPORE (register.md 6.2). */
export const BuyersQuery = z.object({
  q: z
    .string()
    .max(256)
    .regex(new RegExp(`^(?:${STORABLE}*(?:${LETTER})){3}${STORABLE}*$`, 'u'))
    .describe('At least 3 letters: the begin of a word of the name or of the id, or a similar name'),
  mode: z.enum(['test', '_all_']).optional().describe('Whose tenders count. Absent: without test tenders'),
  at_least: atLeast,
});

/** A procuring entity of public tenders. */
export const FoundBuyer = z
  .object({ scheme: z.string(), id: z.string(), name: z.string(), tenders: z.int() })
  .meta({ id: 'FoundBuyer' });

/** How many tenders match: `gte` when there are at least so many. */
export const SearchTotal = z.object({ value: z.int(), relation: z.enum(['eq', 'gte']) }).meta({ id: 'SearchTotal' });

/** Words of the query that occur nowhere, each with up to three similar words that do. */
export const SearchSpelling = z.record(z.string(), z.array(z.string())).meta({ id: 'SearchSpelling' });

const FacetCounts = z.array(z.object({ key: z.string(), count: z.int() })).optional();

/** Numbers of tenders by value, the largest first. */
export const SearchFacets = z
  .object({
    status: FacetCounts,
    method: FacetCounts,
    cpv: FacetCounts.describe('Divisions: the first two digits'),
    region: FacetCounts,
    buyer: FacetCounts.describe('The 20 largest'),
    exact: z.boolean().describe('Whether all matches were counted'),
    of: z.int().describe('Matches that were counted'),
  })
  .meta({ id: 'SearchFacets' });
