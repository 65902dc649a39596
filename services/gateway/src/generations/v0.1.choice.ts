import type { Problem } from '@procurement/contracts/problems';
import { isObject, type EarlyGeneration, type JsonObject } from './codec.ts';
import type { Resource } from './resource.ts';

/** What a request on segment 0.1 says of the generation it means (generations.md 2). */
export interface Evidence {
  readonly query: string;
  readonly accept?: string | undefined;
  readonly resource: Resource;
  /** `data` of the body of a write, when it is an object. */
  readonly data?: JsonObject | undefined;
}

export type Choice = { readonly early: EarlyGeneration } | { readonly refused: Problem };

const VALUES: ReadonlySet<string> = new Set(['middle', 'earliest']);
const CHOICES = "Value must be one of ['middle', 'earliest'].";

/** Names at the top of a tender that only one of the two generations has. */
const EARLIEST_NAMES = ['clarificationPeriod', 'clarifications'] as const;
const MIDDLE_NAMES = ['enquiryPeriod', 'minimalStep', 'deliveryDate', 'hasEnquiries'] as const;

/**
 * The generation in which a request on segment 0.1 is answered: what the query says, else what `Accept` says, else what the
 * body gives away, else middle. How the body is read does not depend on it. Refusals: 400 `generation.*`.
 */
export function chooseGeneration({ query, accept, resource, data }: Evidence): Choice {
  const asked = parameterOf(query);
  const accepted = accept === undefined ? undefined : acceptParameter(accept);
  if (asked !== undefined && !isEarly(asked)) return { refused: refusal('querystring', 'generation', CHOICES) };
  if (accepted !== undefined && !isEarly(accepted)) return { refused: refusal('header', 'Accept', CHOICES) };
  if (asked !== undefined && accepted !== undefined && asked !== accepted) {
    return { refused: refusal('querystring', 'generation', 'Conflicts with Accept.') };
  }
  return { early: asked ?? accepted ?? bodyEvidence(resource, data) };
}

function isEarly(value: string): value is EarlyGeneration {
  return VALUES.has(value);
}

/** The parameter of the query; the last one counts, and an empty one says nothing. */
function parameterOf(query: string): string | undefined {
  if (!query.includes('generation')) return undefined;
  const value = new URLSearchParams(query).getAll('generation').at(-1);
  return value === '' ? undefined : value;
}

/** The parameter of the first media range that carries it: `application/json; generation=earliest`. */
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

function bodyEvidence(resource: Resource, data: JsonObject = {}): EarlyGeneration {
  const { earliest, middle } = resource === 'auction' ? auctionEvidence(data) : tenderEvidence(resource, data);
  return earliest && !middle ? 'earliest' : 'middle';
}

interface Names {
  readonly earliest: boolean;
  readonly middle: boolean;
}

function tenderEvidence(resource: Resource, data: JsonObject): Names {
  const has = (name: string): boolean => resource === 'tender' && Object.hasOwn(data, name);
  return { earliest: EARLIEST_NAMES.some(has), middle: MIDDLE_NAMES.some(has) };
}

function auctionEvidence({ bids, bidders }: JsonObject): Names {
  const list = bids ?? bidders;
  const has = (name: string): boolean =>
    Array.isArray(list) && list.some((entry: unknown) => isObject(entry) && Object.hasOwn(entry, name));
  return { earliest: has('amount'), middle: has('totalValue') };
}

function refusal(location: string, name: string, description: string): Problem {
  return { code: `generation.${name.toLowerCase()}`, status: 400, errors: [{ location, name, description }] };
}

/** Headers of every answer on segment 0.1, refusals included. */
export function generationHeaders(early: EarlyGeneration): Readonly<Record<string, string>> {
  return { 'x-generation': early, vary: 'Accept, Accept-Encoding' };
}
