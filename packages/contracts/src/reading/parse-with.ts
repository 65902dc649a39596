import { z } from 'zod';
import type { Description, ErrorEntry } from '../problems/problems.ts';
import { ROGUE_FIELD, splitPass } from './error-messages.ts';

export type ParseResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: readonly ErrorEntry[] };

/**
 * Reads untrusted data by a schema made of `scalars.ts` and `composites.ts`: converts, fills defaults, and gives all faults of
 * the first pass, or else all of the second, one entry per top-level member in the order of the schema (http.md 4.4,
 * tenders.md 5). Nulls count as absent. Never throws.
 */
export function parseWith<S extends z.ZodObject>(
  schema: S,
  data: Readonly<Record<string, unknown>>,
): ParseResult<z.output<S>> {
  const result = schema.safeParse(normalized(schema, data));
  if (result.success) return { ok: true, value: result.data };
  return { ok: false, errors: errorEntries(schema, result.error.issues) };
}

/** The same data without nulls, and with lone scalars as lists of one where a list is due. Bounded by the body's depth. */
function normalized(schema: z.ZodType, given: unknown): unknown {
  const wanted = unwrapped(schema);
  if (wanted instanceof z.ZodArray) {
    if (Array.isArray(given)) return given.map((element) => normalized(wanted.element as z.ZodType, element));
    return typeof given === 'object' || given === undefined ? given : [given];
  }
  if (!(wanted instanceof z.ZodObject) || typeof given !== 'object' || given === null || Array.isArray(given))
    return given;
  const shape: Readonly<Record<string, z.ZodType>> = wanted.shape;
  // Without a prototype, so that a member called __proto__ is one like any other, and an unknown one.
  const members: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(given)) {
    if (value === null) continue;
    members[name] = Object.hasOwn(shape, name) ? normalized(shape[name] as z.ZodType, value) : value;
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
interface ErrorNode {
  readonly messages: string[];
  isRogue: boolean;
  readonly children: Map<PropertyKey, ErrorNode>;
}

interface ReadError {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly pass: 'conversion' | 'validation';
}

// A body of unknown members only would otherwise be answered with a longer one.
const ERROR_ENTRIES_MAX = 100;

function errorEntries(schema: z.ZodObject, issues: readonly z.core.$ZodIssue[]): ErrorEntry[] {
  const readErrors = issues.flatMap(readErrorsOf);
  const pass = readErrors.some((fault) => fault.pass === 'conversion') ? 'conversion' : 'validation';
  const root = newErrorNode();
  for (const fault of readErrors) if (fault.pass === pass) addError(root, fault);
  const order = Object.keys(schema.shape);
  const orderOf = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);
  return [...root.children]
    .map(([name, inner]) => ({ location: 'body', name: String(name), description: describeNode(inner, pass) }))
    .sort((a, b) => orderOf(a.name) - orderOf(b.name))
    .slice(0, ERROR_ENTRIES_MAX);
}

function readErrorsOf(issue: z.core.$ZodIssue): ReadError[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...issue.path, key], message: ROGUE_FIELD, pass: 'conversion' }));
  }
  return [{ path: issue.path, ...splitPass(issue.message) }];
}

function newErrorNode(): ErrorNode {
  return { messages: [], isRogue: false, children: new Map() };
}

function addError(root: ErrorNode, { path, message }: ReadError): void {
  let node = root;
  for (const step of path) {
    const child = node.children.get(step) ?? newErrorNode();
    node.children.set(step, child);
    node = child;
  }
  if (message === ROGUE_FIELD) node.isRogue = true;
  else node.messages.push(message);
}

/**
 * The description of a place. Of a list the first pass tells the first failing element, unwrapped; the second a list of the
 * failing elements only, so that positions are not kept (both as recorded of the original).
 */
function describeNode(node: ErrorNode, pass: ReadError['pass']): Description {
  if (node.isRogue) return ROGUE_FIELD;
  if (node.messages.length > 0) return node.messages;
  const children = [...node.children];
  if (typeof children[0]?.[0] !== 'number') {
    return Object.fromEntries(children.map(([name, inner]) => [String(name), describeNode(inner, pass)]));
  }
  const elements = children.sort(([a], [b]) => Number(a) - Number(b)).map(([, inner]) => describeNode(inner, pass));
  return pass === 'conversion' ? (elements[0] ?? []) : elements;
}
