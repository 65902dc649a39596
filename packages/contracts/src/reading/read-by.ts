import { z } from 'zod';
import type { Description, ErrorEntry } from '../problems.ts';
import { ROGUE, unmark } from './faults.ts';

export type Reading<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: readonly ErrorEntry[] };

/**
 * Reads untrusted data by a schema made of `scalars.ts` and `composites.ts`: converts, fills defaults, and gives all faults of
 * the first pass, or else all of the second, one entry per top-level member in the order of the schema (http.md 4.4,
 * tenders.md 5). Nulls count as absent. Never throws.
 */
export function readBy<S extends z.ZodObject>(
  schema: S,
  data: Readonly<Record<string, unknown>>,
): Reading<z.output<S>> {
  const result = schema.safeParse(prepared(schema, data));
  if (result.success) return { ok: true, value: result.data };
  return { ok: false, errors: entries(schema, result.error.issues) };
}

/** The same data without nulls, and with lone scalars as lists of one where a list is due. Bounded by the body's depth. */
function prepared(schema: z.ZodType, given: unknown): unknown {
  const wanted = unwrapped(schema);
  if (wanted instanceof z.ZodArray) {
    if (Array.isArray(given)) return given.map((element) => prepared(wanted.element as z.ZodType, element));
    return typeof given === 'object' || given === undefined ? given : [given];
  }
  if (!(wanted instanceof z.ZodObject) || typeof given !== 'object' || given === null || Array.isArray(given))
    return given;
  const shape: Readonly<Record<string, z.ZodType>> = wanted.shape;
  // Without a prototype, so that a member called __proto__ is one like any other, and an unknown one.
  const members: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(given)) {
    if (value === null) continue;
    members[name] = Object.hasOwn(shape, name) ? prepared(shape[name] as z.ZodType, value) : value;
  }
  return members;
}

function unwrapped(schema: z.ZodType): z.ZodType {
  let inner = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault || inner instanceof z.ZodPrefault) {
    // What a wrapper of ours wraps is a schema of ours.
    inner = inner.unwrap() as z.ZodType;
  }
  return inner;
}

/** Faults by place. */
interface Place {
  readonly messages: string[];
  rogue: boolean;
  readonly inside: Map<PropertyKey, Place>;
}

interface Fault {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly pass: 'conversion' | 'validation';
}

// A body of unknown members only would otherwise be answered with a longer one.
const ENTRIES_MAX = 100;

function entries(schema: z.ZodObject, issues: readonly z.core.$ZodIssue[]): ErrorEntry[] {
  const faults = issues.flatMap(faultsOf);
  const pass = faults.some((fault) => fault.pass === 'conversion') ? 'conversion' : 'validation';
  const root = place();
  for (const fault of faults) if (fault.pass === pass) put(root, fault);
  const order = Object.keys(schema.shape);
  const rank = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);
  return [...root.inside]
    .map(([name, inner]) => ({ location: 'body', name: String(name), description: describe(inner, pass) }))
    .sort((a, b) => rank(a.name) - rank(b.name))
    .slice(0, ENTRIES_MAX);
}

function faultsOf(issue: z.core.$ZodIssue): Fault[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...issue.path, key], message: ROGUE, pass: 'conversion' }));
  }
  return [{ path: issue.path, ...unmark(issue.message) }];
}

function place(): Place {
  return { messages: [], rogue: false, inside: new Map() };
}

function put(root: Place, { path, message }: Fault): void {
  let at = root;
  for (const step of path) {
    const inner = at.inside.get(step) ?? place();
    at.inside.set(step, inner);
    at = inner;
  }
  if (message === ROGUE) at.rogue = true;
  else at.messages.push(message);
}

/**
 * The description of a place. Of a list the first pass tells the first failing element, unwrapped; the second a list of the
 * failing elements only, so that positions are not kept (both as recorded of the original).
 */
function describe(at: Place, pass: Fault['pass']): Description {
  if (at.rogue) return ROGUE;
  if (at.messages.length > 0) return at.messages;
  const inside = [...at.inside];
  if (typeof inside[0]?.[0] !== 'number') {
    return Object.fromEntries(inside.map(([name, inner]) => [String(name), describe(inner, pass)]));
  }
  const elements = inside.sort(([a], [b]) => Number(a) - Number(b)).map(([, inner]) => describe(inner, pass));
  return pass === 'conversion' ? (elements[0] ?? []) : elements;
}
