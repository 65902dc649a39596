import { z } from 'zod';
import { TOO_LONG, tooManyItems } from './error-messages.ts';

/** The byte budget of a text or list (`limits.ts`), which new values must fulfil. */
export interface NewValueLimit {
  /** Unicode code points. */
  readonly charactersMax?: number;
  readonly elementsMax?: number;
}

const limits = z.registry<NewValueLimit>();
const UNLIMITED: NewValueLimit = {};

/** Limits a value. `parseWith` checks it, not the schema: stored values above the limit are still read. */
export function withNewValueLimit<S extends z.ZodType>(schema: S, limit: NewValueLimit): S {
  limits.add(schema, limit);
  return schema;
}

/** A value above its limit. */
export interface LimitFault {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly value: unknown;
}

/** Gives the message for a value above the limit of this schema. Slow to make, because the registry copies objects. */
export function makeLimitCheck(schema: z.ZodType): (value: unknown) => string | undefined {
  // A schema that was refined or described has the limit of the schema that it was made from.
  const limit = limits.get(schema) ?? UNLIMITED;
  return (value) => limitFault(limit, value);
}

function limitFault(limit: NewValueLimit, value: unknown): string | undefined {
  if (limit === UNLIMITED || value === undefined || value === null) return undefined;
  const { charactersMax = Infinity, elementsMax = Infinity } = limit;
  if (typeof value === 'string' && value.length > charactersMax && codePoints(value) > charactersMax) return TOO_LONG;
  if (Array.isArray(value) && value.length > elementsMax) return tooManyItems(elementsMax);
  return undefined;
}

/** Code points of a text without lone surrogates. */
function codePoints(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length; at += 1) if ((text.charCodeAt(at) & 0xfc00) === 0xdc00) count -= 1;
  return count;
}

/**
 * Leaves out what is stored already: a long text that the stored object has anywhere, and a list that is no longer than the stored
 * list at its place. So an object that is stored above a limit, as a title with the marker of test tenders may be, can still be
 * changed in its other members.
 */
export function withoutStored(faults: readonly LimitFault[], stored: unknown): readonly LimitFault[] {
  if (faults.length === 0 || stored === undefined) return faults;
  const texts = new Set<unknown>();
  collectTexts(stored, texts);
  return faults.filter(({ path, message, value }) => {
    if (message === TOO_LONG) return !texts.has(value);
    const before = valueAt(stored, path);
    return !Array.isArray(before) || !Array.isArray(value) || before.length < value.length;
  });
}

function collectTexts(value: unknown, texts: Set<unknown>): void {
  if (typeof value === 'string') texts.add(value);
  else if (typeof value === 'object' && value !== null)
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
