import { z } from 'zod';
import type { Description, ErrorEntry } from '../problems/problems.ts';
import { ROGUE_FIELD, splitPass } from './error-messages.ts';
import { jsonPointer } from './json-pointer.ts';
import { makeLimitCheck, withoutStored, type LimitFault } from './new-value-limits.ts';

export type ParseResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: readonly ErrorEntry[] };

/**
 * Parses untrusted data by a schema made of `scalars.ts` and `composites.ts`: converts values and fills defaults. Errors: all
 * of the first pass, or else all of the second, one entry per top-level member in the order of the schema (http.md 4.4,
 * tenders.md 5). Null counts as absent. Never throws.
 *
 * `stored` is the object that the data changes: its values may stay even if they are above a limit (`new-value-limits.ts`).
 */
export function parseWith<S extends z.ZodObject>(
  schema: S,
  data: Readonly<Record<string, unknown>>,
  stored?: object,
): ParseResult<z.output<S>> {
  const found: LimitFault[] = [];
  const result = schema.safeParse(normalized(schema, data, { found }));
  const limitFaults = withoutStored(found, stored);
  if (result.success && limitFaults.length === 0) return { ok: true, value: result.data };
  return { ok: false, errors: errorEntries(schema, [...(result.error?.issues ?? []), ...limitFaults]) };
}

/** A place in the data, and where values above a limit are collected. Linked, because most paths are never needed. */
interface DataPath {
  readonly found: LimitFault[];
  readonly parent?: DataPath;
  readonly step?: PropertyKey;
}

/**
 * The data without nulls, and with a single scalar as a list of one where the schema has a list. The depth of recursion is
 * bounded, because the reader of bodies limits nesting.
 */
function normalized(schema: z.ZodType, given: unknown, path: DataPath): unknown {
  const { fault, element, shape } = cachedForm(schema);
  const message = fault(given);
  if (message !== undefined) path.found.push({ path: flattenPath(path), message, value: given });
  if (element !== undefined) {
    if ((typeof given === 'object' && !Array.isArray(given)) || given === undefined) return given;
    const elements: readonly unknown[] = Array.isArray(given) ? given : [given];
    return elements.map((one, at) => normalized(element, one, below(path, at)));
  }
  if (shape === undefined || typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const members: Record<string, unknown> = {};
  // Safe cast: an object of JSON.
  for (const [name, value] of Object.entries(given as Readonly<Record<string, unknown>>)) {
    if (value === null) continue;
    const own = shape.get(name);
    const member = own === undefined ? value : normalized(own, value, below(path, name));
    // An assignment would set the prototype, and the member would not be refused as unknown.
    if (name === '__proto__') Object.defineProperty(members, name, { value: member, enumerable: true });
    else members[name] = member;
  }
  return members;
}

/** What `normalized` needs of a schema. */
interface Form {
  /** The message for a value above its limit. */
  fault(value: unknown): string | undefined;
  /** Schema of the elements of a list. */
  readonly element?: z.ZodType;
  /** Schemas of the members of an object. */
  readonly shape?: ReadonlyMap<string, z.ZodType>;
}

// `instanceof` and the parts of a zod schema are slow to ask for; schemas are constants.
const forms = new WeakMap<z.ZodType, Form>();

function cachedForm(schema: z.ZodType): Form {
  const known = forms.get(schema);
  if (known !== undefined) return known;
  const wanted = unwrapped(schema);
  const form: Form = {
    fault: makeLimitCheck(wanted),
    // zod types inner schemas as its core type; ours are all classic zod types.
    ...(wanted instanceof z.ZodArray ? { element: wanted.element as z.ZodType } : {}),
    ...(wanted instanceof z.ZodObject ? { shape: new Map<string, z.ZodType>(Object.entries(wanted.shape)) } : {}),
  };
  forms.set(schema, form);
  return form;
}

function below(parent: DataPath, step: PropertyKey): DataPath {
  return { found: parent.found, parent, step };
}

function flattenPath({ parent, step }: DataPath): readonly PropertyKey[] {
  return parent === undefined || step === undefined ? [] : [...flattenPath(parent), step];
}

function unwrapped(schema: z.ZodType): z.ZodType {
  let inner = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault || inner instanceof z.ZodPrefault) {
    // zod types the inner schema as its core type; ours are all classic zod types.
    inner = inner.unwrap() as z.ZodType;
  }
  return inner;
}

/** Errors by path. */
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

// Bounds the answer to a body that consists of unknown members.
const ERROR_ENTRIES_MAX = 100;

function errorEntries(schema: z.ZodObject, issues: readonly Issue[]): ErrorEntry[] {
  const readErrors = issues.flatMap(convertIssue);
  const pass = readErrors.some((error) => error.pass === 'conversion') ? 'conversion' : 'validation';
  const root = newErrorNode();
  for (const error of readErrors) if (error.pass === pass) addError(root, error);
  const order = Object.keys(schema.shape);
  const orderOf = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);
  return [...root.children]
    .map(([name, inner]) => {
      const pointer = pointerIntoList([name, ...pathToFault(inner, pass)]);
      return { location: 'body', name: String(name), description: describeNode(inner, pass), ...pointer };
    })
    .sort((a, b) => orderOf(a.name) - orderOf(b.name))
    .slice(0, ERROR_ENTRIES_MAX);
}

/** The path to the only fault that `describeNode` describes, or to what its faults have in common. */
function pathToFault(node: ErrorNode, pass: ReadError['pass']): readonly PropertyKey[] {
  if (node.isRogue || node.messages.length > 0) return [];
  const children = [...node.children].sort(([a], [b]) => Number(a) - Number(b));
  const [first] = children;
  const isDescribedAlone = children.length === 1 || (pass === 'conversion' && typeof first?.[0] === 'number');
  return first === undefined || !isDescribedAlone ? [] : [first[0], ...pathToFault(first[1], pass)];
}

/** Other paths follow from name and description. */
function pointerIntoList(path: readonly PropertyKey[]): { readonly pointer?: string } {
  return path.some((step) => typeof step === 'number') ? { pointer: jsonPointer(['data', ...path]) } : {};
}

type Issue = z.core.$ZodIssue | LimitFault;

function convertIssue(issue: Issue): ReadError[] {
  if ('code' in issue && issue.code === 'unrecognized_keys') {
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
 * The `description` of one path. Kept for brokers: for a list the first pass describes only the first invalid element,
 * without a list around it; the second pass describes the invalid elements only, so their positions are lost.
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
