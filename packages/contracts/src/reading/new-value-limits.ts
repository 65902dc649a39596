import { z } from 'zod';
import { TOO_LONG, tooManyItems } from './error-messages.ts';

/** What new values must fulfil: the byte budget of a text or list (`limits.ts`), or a rule that earlier releases did not have. */
export interface NewValueLimit {
  /** Unicode code points. */
  readonly charactersMax?: number;
  readonly elementsMax?: number;
  /** The message for a value that breaks another rule. */
  readonly faultOf?: (value: unknown) => string | undefined;
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
export function limitFaultOf(schema: z.ZodType): (value: unknown) => string | undefined {
  // A schema that was refined or described has the limit of the schema that it was made from.
  const limit = limits.get(schema) ?? UNLIMITED;
  return (value) => limitFault(limit, value);
}

function limitFault(limit: NewValueLimit, value: unknown): string | undefined {
  if (limit === UNLIMITED || value === undefined || value === null) return undefined;
  const { charactersMax = Infinity, elementsMax = Infinity, faultOf } = limit;
  if (typeof value === 'string' && value.length > charactersMax && codePoints(value) > charactersMax) return TOO_LONG;
  if (Array.isArray(value) && value.length > elementsMax) return tooManyItems(elementsMax);
  return faultOf?.(value);
}

/** Code points of a text without lone surrogates. */
function codePoints(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length; at += 1) if ((text.charCodeAt(at) & 0xfc00) === 0xdc00) count -= 1;
  return count;
}

/**
 * Without what is stored already: a long text that the stored object has anywhere, a list that is no longer than the stored list
 * at its place, and another value that the stored object has under the same name anywhere. So an object that is stored above a
 * limit can still be changed in its other members.
 */
export function withoutStored(faults: readonly LimitFault[], stored: unknown): readonly LimitFault[] {
  if (faults.length === 0 || stored === undefined) return faults;
  const known: StoredScalars = { texts: new Set(), byName: new Map() };
  collectScalars(stored, '', known);
  return faults.filter(({ path, message, value }) => {
    if (message === TOO_LONG) return !known.texts.has(value);
    if (!Array.isArray(value)) return known.byName.get(path.at(-1))?.has(value) !== true;
    const before = valueAt(stored, path);
    return !Array.isArray(before) || before.length < value.length;
  });
}

interface StoredScalars {
  readonly texts: Set<unknown>;
  readonly byName: Map<PropertyKey | undefined, Set<unknown>>;
}

function collectScalars(value: unknown, name: string, known: StoredScalars): void {
  if (typeof value === 'object' && value !== null) {
    for (const [inner, member] of Object.entries(value)) collectScalars(member, inner, known);
    return;
  }
  if (typeof value === 'string') known.texts.add(value);
  const values = known.byName.get(name) ?? new Set();
  known.byName.set(name, values.add(value));
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
