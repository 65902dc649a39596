import { z } from 'zod';
import { TOO_LONG, tooManyItems } from './error-messages.ts';

/** What the byte budget allows of a text or list (`limits.ts`). */
export interface SizeLimit {
  /** Unicode code points. */
  readonly charactersMax?: number;
  readonly elementsMax?: number;
}

const limits = z.registry<SizeLimit>();
// A lookup in the registry copies objects; schemas are constants.
const cache = new WeakMap<z.ZodType, SizeLimit>();
const UNLIMITED: SizeLimit = {};

/** Limits a text or list. `parseWith` checks it, not the schema: stored values above the limit are still read. */
export function withSizeLimit<S extends z.ZodType>(schema: S, limit: SizeLimit): S {
  limits.add(schema, limit);
  return schema;
}

function limitOf(schema: z.ZodType): SizeLimit {
  const known = cache.get(schema);
  if (known !== undefined) return known;
  // A schema that was refined or described has the limit of the schema that it was made from.
  const limit = limits.get(schema) ?? UNLIMITED;
  cache.set(schema, limit);
  return limit;
}

/** A text or list above its limit. */
export interface Oversize {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly value: string | readonly unknown[];
}

/** The message for a value above the limit of its schema. */
export function oversizeMessage(schema: z.ZodType, value: unknown): string | undefined {
  if (typeof value === 'string') {
    const { charactersMax = Infinity } = limitOf(schema);
    return value.length > charactersMax && codePoints(value) > charactersMax ? TOO_LONG : undefined;
  }
  if (!Array.isArray(value)) return undefined;
  const { elementsMax = Infinity } = limitOf(schema);
  return value.length > elementsMax ? tooManyItems(elementsMax) : undefined;
}

/** Code points of a text without lone surrogates. */
function codePoints(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length; at += 1) if ((text.charCodeAt(at) & 0xfc00) === 0xdc00) count -= 1;
  return count;
}

/**
 * Without what is stored already: a text that the stored object has anywhere, and a list that is no longer than the stored
 * list at its place. So an object that is stored above a limit can still be changed in its other members.
 */
export function withoutStored(oversizes: readonly Oversize[], stored: unknown): readonly Oversize[] {
  if (oversizes.length === 0 || stored === undefined) return oversizes;
  const texts = new Set<string>();
  collectTexts(stored, texts);
  return oversizes.filter(({ path, value }) => {
    if (typeof value === 'string') return !texts.has(value);
    const before = valueAt(stored, path);
    return !Array.isArray(before) || before.length < value.length;
  });
}

function collectTexts(value: unknown, texts: Set<string>): void {
  if (typeof value === 'string') texts.add(value);
  if (typeof value !== 'object' || value === null) return;
  for (const inner of Object.values(value)) collectTexts(inner, texts);
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    // Safe cast: the value has this member.
    value = (value as Readonly<Record<PropertyKey, unknown>>)[step];
  }
  return value;
}
