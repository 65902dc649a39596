import { readFileSync } from 'node:fs';
import { mergePatch } from '@procurement/domain/merge';
import type { Instant } from '@procurement/contracts/reading/instant';
import type { Method, RouteContract, Segment } from '@procurement/contracts/api/route';
import { toJsonText } from '@procurement/domain/json-text';
import type { Codec, Generation01 } from '../src/generations/codec.ts';
import { codec0 } from '../src/generations/v0/codec.ts';
import { codec01 } from '../src/generations/v0.1/codec.ts';
import { codec23 } from '../src/generations/v2.3/codec.ts';

// Fixtures and encoded values have many shapes; the tests assert their members.
export type Json = any;

/** Reads a fixture (generations.md 10). */
export function fixture(name: string): Json {
  return JSON.parse(readFileSync(new URL(`../src/generations/fixtures/${name}`, import.meta.url), 'utf8'));
}

/** Older generations by the names of the fixtures. */
export const generations = ['2.3', '0', '0.1-middle', '0.1-earliest'] as const;

const base = 'https://api.example.org';
const PATH_OF_RESOURCE: Readonly<Record<string, string>> = {
  tender: '/tenders/:tender_id',
  bid: '/tenders/:tender_id/bids/:bid_id',
  award: '/tenders/:tender_id/awards/:award_id',
  auction: '/tenders/:tender_id/auction',
  feed: '/tenders',
};

/** Codec of a generation. */
export function codecOf(generation: string): Codec {
  if (generation === '2.3') return codec23({ base, segment: '2.3' });
  if (generation === '0') return codec0({ base, segment: '0' });
  return codec01({ base, segment: '0.1' }, generation.slice('0.1-'.length) as Generation01);
}

/** A minimal route contract of a resource. */
export function routeOf(resource: string, method: Method = 'GET'): RouteContract {
  return routeAt(PATH_OF_RESOURCE[resource] ?? '', method);
}

/** A minimal route contract at a path. */
export function routeAt(path: string, method: Method = 'GET'): RouteContract {
  const segments: Segment[] = ['2.5', '2.3', '0', '0.1'];
  return {
    name: 'x',
    method,
    path,
    owner: 'tenders',
    spore: 'x',
    summary: '',
    description: '',
    segments,
    responses: {},
  };
}

/** `get` of the laws: encodes a canonical object. */
export function get(generation: string, resource: string, canonical: Json): Json {
  const context = { route: routeOf(resource), status: 200, query: '' };
  return JSON.parse(codecOf(generation).encodeResponse(context, toJsonText({ data: canonical }))).data;
}

/** Decodes a request; passes the stored object only when `needsStored`. */
export function decodeRequest(
  generation: string,
  resource: string,
  method: Method,
  data: Json,
  context: { readonly stored?: Json; readonly now?: Instant } = {},
): Json {
  const codec = codecOf(generation);
  const route = routeOf(resource, method);
  if (codec.passesRequestThrough(route)) return { data };
  const stored = context.stored !== undefined && codec.needsStored(route, data) ? context.stored : undefined;
  return codec.decodeRequest(route, data, { now: context.now ?? (0 as Instant), stored });
}

/** `patch` of the laws: the stored object after the decoded PATCH. */
export function patch(generation: string, resource: string, stored: Json, wire: Json): Json {
  const result = decodeRequest(generation, resource, 'PATCH', wire, { stored });
  if ('refused' in result) throw new Error(JSON.stringify(result.refused));
  return mergePatch(stored, result.data);
}

/** `create` of the laws: decodes a POST. */
export function create(generation: string, resource: string, wire: Json): Json {
  const result = decodeRequest(generation, resource, 'POST', wire);
  if ('refused' in result) throw new Error(JSON.stringify(result.refused));
  return result.data;
}
