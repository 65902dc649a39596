import type { Problem } from '@procurement/contracts/problems/problems';
import { isJsonObject, type JsonObject } from '@procurement/contracts/reading/json-object';
import type { Generation01 } from '../codec.ts';
import type { Resource } from '../resource.ts';

/** Evidence for the generation of a request on segment 0.1 (generations.md 2). */
export interface NegotiationInput {
  readonly query: string;
  readonly accept?: string | undefined;
  readonly resource: Resource;
  /** `data` of the request body, when it is an object. */
  readonly data?: JsonObject | undefined;
}

export type NegotiationResult = { readonly generation01: Generation01 } | { readonly refused: Problem };

const GENERATIONS: ReadonlySet<string> = new Set(['middle', 'earliest']);
const VALUES_TEXT = "Value must be one of ['middle', 'earliest'].";

/** Top-level names of a tender that only one of the two generations has. */
const EARLIEST_NAMES = ['clarificationPeriod', 'clarifications'] as const;
const MIDDLE_NAMES = ['enquiryPeriod', 'minimalStep', 'deliveryDate', 'hasEnquiries'] as const;

/**
 * Negotiates the generation of the response on segment 0.1: by the query, else by `Accept`, else by names in the body,
 * else middle. Decoding of the body does not depend on it. Refusals: 400 `generation.generation`, `generation.accept`.
 */
export function negotiateGeneration({ query, accept, resource, data }: NegotiationInput): NegotiationResult {
  const queryValue = queryParameter(query);
  const acceptValue = accept === undefined ? undefined : acceptParameter(accept);
  if (queryValue !== undefined && !isGeneration01(queryValue))
    return { refused: refusal('querystring', 'generation', VALUES_TEXT) };
  if (acceptValue !== undefined && !isGeneration01(acceptValue))
    return { refused: refusal('header', 'Accept', VALUES_TEXT) };
  if (queryValue !== undefined && acceptValue !== undefined && queryValue !== acceptValue) {
    return { refused: refusal('querystring', 'generation', 'Conflicts with Accept.') };
  }
  return { generation01: queryValue ?? acceptValue ?? generationFromBody(resource, data) };
}

function isGeneration01(value: string): value is Generation01 {
  return GENERATIONS.has(value);
}

/** `generation` of the query; the last one counts, and an empty one counts as absent. */
function queryParameter(query: string): string | undefined {
  if (!query.includes('generation')) return undefined;
  const value = new URLSearchParams(query).getAll('generation').at(-1);
  return value === '' ? undefined : value;
}

/** `generation` of the first media range that has it: `application/json; generation=earliest`. */
function acceptParameter(accept: string): string | undefined {
  if (!/generation/i.test(accept)) return undefined;
  for (const range of accept.split(',')) {
    for (const parameter of range.split(';').slice(1)) {
      const [name = '', value = ''] = parameter.split('=');
      if (name.trim().toLowerCase() === 'generation') return value.trim().replace(/^"(.*)"$/, '$1');
    }
  }
  return undefined;
}

function generationFromBody(resource: Resource, data: JsonObject = {}): Generation01 {
  const { earliest, middle } = resource === 'auction' ? namesInAuction(data) : namesInTender(resource, data);
  return earliest && !middle ? 'earliest' : 'middle';
}

interface NamesPresent {
  readonly earliest: boolean;
  readonly middle: boolean;
}

function namesInTender(resource: Resource, data: JsonObject): NamesPresent {
  const has = (name: string): boolean => resource === 'tender' && Object.hasOwn(data, name);
  return { earliest: EARLIEST_NAMES.some(has), middle: MIDDLE_NAMES.some(has) };
}

function namesInAuction({ bids, bidders }: JsonObject): NamesPresent {
  const list = bids ?? bidders;
  const has = (name: string): boolean =>
    Array.isArray(list) && list.some((entry: unknown) => isJsonObject(entry) && Object.hasOwn(entry, name));
  return { earliest: has('amount'), middle: has('totalValue') };
}

function refusal(location: string, name: string, description: string): Problem {
  return { code: `generation.${name.toLowerCase()}`, status: 400, errors: [{ location, name, description }] };
}

/** Headers of every response on segment 0.1, refusals included. */
export function generationHeaders(generation01: Generation01): Readonly<Record<string, string>> {
  return { 'x-generation': generation01, vary: 'Accept, Accept-Encoding' };
}
