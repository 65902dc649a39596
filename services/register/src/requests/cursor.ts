import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

const MAC_BYTES = 8;
const QUERY_HASH_BYTES = 8;

/** Place, hash of the search, and 8 bytes of an HMAC by the first key. */
export function signCursor(place: string, search: string, [key = '']: readonly string[]): string {
  const content = Buffer.concat([queryHash(search), Buffer.from(place)]);
  return Buffer.concat([computeMac(content, key), content]).toString('base64url');
}

/** The place of a cursor; undefined for one of another search, or that none of the keys has signed. */
export function openCursor(text: string, search: string, keys: readonly string[]): string | undefined {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length <= MAC_BYTES + QUERY_HASH_BYTES || bytes.toString('base64url') !== text) return undefined;
  const [mac, content] = [bytes.subarray(0, MAC_BYTES), bytes.subarray(MAC_BYTES)];
  if (!keys.some((key) => timingSafeEqual(computeMac(content, key), mac))) return undefined;
  if (!content.subarray(0, QUERY_HASH_BYTES).equals(queryHash(search))) return undefined;
  return content.subarray(QUERY_HASH_BYTES).toString();
}

function queryHash(search: string): Buffer {
  return createHash('sha256').update(search).digest().subarray(0, QUERY_HASH_BYTES);
}

function computeMac(content: Buffer, key: string): Buffer {
  return createHmac('sha256', key).update(content).digest().subarray(0, MAC_BYTES);
}
