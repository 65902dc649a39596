import { createHash } from 'node:crypto';
import { isJsonObject } from '@procurement/contracts/json-object';

/** JSON with sorted names and no spaces: the same text for the same content. Empty text for undefined. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value)) ?? '';
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const names = Object.keys(value).toSorted();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name])]));
}

/** SHA-256 of the canonical JSON, in hex: decides whether a body changed (ocds.md 1.3). */
export function contentHash(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}
