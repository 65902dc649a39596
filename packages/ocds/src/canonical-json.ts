import { createHash } from 'node:crypto';

/** JSON with sorted names and no spaces: the same text for the same content. `value` is parsed JSON. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  let text = '';
  if (Array.isArray(value)) {
    for (const element of value) text += `${text === '' ? '' : ','}${canonicalJson(element)}`;
    return `[${text}]`;
  }
  // Safe cast: parsed JSON.
  const members = value as Readonly<Record<string, unknown>>;
  // By UTF-16 code units.
  for (const name of Object.keys(members).toSorted())
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(members[name])}`;
  return `{${text}}`;
}

/** SHA-256 of the canonical JSON, in hex: decides whether a body changed (ocds.md 1.3). */
export function contentHash(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}
