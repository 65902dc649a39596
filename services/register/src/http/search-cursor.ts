import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { SET_NAMES } from '../domain/search-parameters.ts';

/** Where a walk stands: after the tender with this value of the sort. */
export interface SearchPlace {
  /** As text of the database: a position, an instant, or an amount. */
  readonly at: string;
  readonly id: string;
}

const MAC_BYTES = 8;
const QUERY_HASH_BYTES = 8;
const PLACE = /^(-?\d+(?:\.\d+)?) ([0-9a-f]{32})$/;

/** A cursor of one search. */
export function cursorText({ at, id }: SearchPlace, search: string, keys: readonly string[]): string {
  return signCursor(`${at} ${id}`, search, keys);
}

/** Undefined for a cursor of another search, and for one that none of the keys has signed. */
export function readCursor(text: string, search: string, keys: readonly string[]): SearchPlace | undefined {
  const [, at, id] = PLACE.exec(openCursor(text, search, keys) ?? '') ?? [];
  return at === undefined || id === undefined ? undefined : { at, id };
}

/** Place, hash of the search, and 8 bytes of an HMAC by the first key. */
export function signCursor(place: string, search: string, [key = '']: readonly string[]): string {
  const content = Buffer.concat([queryHash(search), Buffer.from(place)]);
  return Buffer.concat([macOf(content, key), content]).toString('base64url');
}

/** The place of a cursor; undefined for one of another search, or that none of the keys has signed. */
export function openCursor(text: string, search: string, keys: readonly string[]): string | undefined {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length <= MAC_BYTES + QUERY_HASH_BYTES || bytes.toString('base64url') !== text) return undefined;
  const [mac, content] = [bytes.subarray(0, MAC_BYTES), bytes.subarray(MAC_BYTES)];
  if (!keys.some((key) => timingSafeEqual(macOf(content, key), mac))) return undefined;
  if (!content.subarray(0, QUERY_HASH_BYTES).equals(queryHash(search))) return undefined;
  return content.subarray(QUERY_HASH_BYTES).toString();
}

/** The parameters that decide what is found, in one order: equal for equal searches. A default order is written out. */
export function searchKey(query: URLSearchParams, order: string): string {
  const asked = [...query].filter(([name, value]) => SET_NAMES.includes(name) && name !== 'sort' && value !== '');
  const pairs = [...asked, ['sort', order] as const];
  return JSON.stringify(pairs.sort(([one], [other]) => (one < other ? -1 : 1)));
}

function queryHash(search: string): Buffer {
  return createHash('sha256').update(search).digest().subarray(0, QUERY_HASH_BYTES);
}

function macOf(content: Buffer, key: string): Buffer {
  return createHmac('sha256', key).update(content).digest().subarray(0, MAC_BYTES);
}
