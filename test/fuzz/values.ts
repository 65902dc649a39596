import fc from 'fast-check';
import type { Json } from '../support/broker.ts';
import { isoInSeconds } from '../support/request-bodies.ts';

const HOUR_SECONDS = 3_600;

/** Values that programs mishandle: of other types, at the ends of ranges, and texts with a meaning elsewhere. */
export const HOSTILE_VALUES: readonly unknown[] = [
  null,
  true,
  '',
  ' ',
  0,
  -0,
  -1,
  1e-7,
  1e21,
  1.7976931348623157e308,
  9_007_199_254_740_992,
  [],
  {},
  [[]],
  [null],
  { data: {} },
  { length: 1e9 },
  'NaN',
  'null',
  '9'.repeat(400),
  'a\u0000b',
  'a\ud800',
  '\u202eabc',
  'a\r\nSet-Cookie: x=1',
  '\u001b[31m{"level":"error"}\n',
  '💣'.repeat(1_000),
  'ї'.repeat(40_000),
  "'; DROP TABLE tender; --",
  '1 OR 1=1',
  '$1',
  '${7*7}{{7*7}}',
  '%00',
  '../../etc/passwd',
  'http://169.254.169.254/latest/',
  'file:///etc/passwd',
  'constructor',
  '__proto__',
  '0000-00-00',
  '2026-02-30T25:61:61Z',
  '9999-12-31T23:59:59.999999+14:00',
  '+275760-09-13T00:00:00.001Z',
  '-000001-01-01T00:00:00Z',
];

/** Names that objects of JavaScript have by themselves, and one that no resource has. */
const HOSTILE_NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '', 'невідоме'];

const hostile = fc.constantFrom(...HOSTILE_VALUES);

/** How deep values are made; what is deeper is hostile. */
const DEPTH_MAX = 9;
const OPTIONAL_MEMBERS_MAX = 3;

/** Values of a schema of OpenAPI, most of them valid. One of 40 values inside is hostile. */
export function arbitraryOf(schema: Json, document: Json, depth = 0): fc.Arbitrary<unknown> {
  if (depth > DEPTH_MAX) return hostile;
  const valid = validValues(schema, document, depth);
  return fc.oneof({ weight: 39, arbitrary: valid }, { weight: 1, arbitrary: hostile });
}

function validValues(schema: Json, document: Json, depth: number): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) return validValues(resolve(document, schema.$ref), document, depth);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...(schema.enum as readonly unknown[]));
  const choices: readonly Json[] | undefined = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map((one) => validValues(one, document, depth)));
  if (schema.allOf !== undefined) return validValues(Object.assign({}, ...schema.allOf), document, depth);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'object' || schema.properties !== undefined) return objects(schema, document, depth);
  if (type === 'array') return fc.array(arbitraryOf(schema.items ?? {}, document, depth + 1), { maxLength: 3 });
  return SCALARS[type]?.(schema) ?? hostile;
}

function resolve(document: Json, reference: string): Json {
  let value = document;
  for (const name of reference.split('/').slice(1)) value = value?.[name.replaceAll('~1', '/')];
  return value;
}

function objects(schema: Json, document: Json, depth: number): fc.Arbitrary<unknown> {
  const properties: Json = schema.properties ?? {};
  const required: ReadonlySet<string> = new Set(schema.required ?? []);
  const optional = Object.keys(properties).filter((name) => !required.has(name));
  return fc.subarray(optional, { maxLength: Math.min(OPTIONAL_MEMBERS_MAX, optional.length) }).chain((chosen) => {
    const names = [...required, ...chosen];
    const members = names.map((name) => arbitraryOf(properties[name] ?? {}, document, depth + 1));
    return (
      fc
        .tuple(fc.tuple(...members), fc.option(fc.tuple(fc.constantFrom(...HOSTILE_NAMES), hostile), { freq: 40 }))
        // `fromEntries` defines `__proto__` as a member of its own.
        .map(([values, more]) =>
          Object.fromEntries([...names.map((name, n) => [name, values[n]] as const), ...(more === null ? [] : [more])]),
        )
    );
  });
}

const SCALARS: Readonly<Record<string, (schema: Json) => fc.Arbitrary<unknown>>> = {
  string: texts,
  integer: ({ minimum = 0, maximum = 1_000 }) => fc.integer({ min: minimum, max: Math.min(maximum, 2 ** 31) }),
  number: () => fc.oneof(fc.integer({ min: 0, max: 1_000 }), fc.double({ noNaN: true, noDefaultInfinity: true })),
  boolean: () => fc.boolean(),
  null: () => fc.constant(null),
};

const LENGTH_MAX = 40;
const LONG_MAX = 40_000;

function texts({ format, maxLength = LENGTH_MAX, minLength = 0 }: Json): fc.Arbitrary<unknown> {
  if (format === 'date-time')
    return fc.integer({ min: -1, max: 200 }).map((hours) => isoInSeconds(hours * HOUR_SECONDS));
  const usual = fc.string({
    unit: 'binary',
    minLength,
    maxLength: Math.max(minLength, Math.min(maxLength, LENGTH_MAX)),
  });
  const length = Math.min(maxLength, LONG_MAX);
  // At the limit, and above it.
  return fc.oneof(
    { weight: 18, arbitrary: usual },
    fc.constant('ї'.repeat(length)),
    fc.constant('x'.repeat(length + 1)),
  );
}

/** Values like one that was recorded: the same, or with one value inside replaced or removed, or with one more member. */
export function valuesLike(recorded: unknown): fc.Arbitrary<unknown> {
  const places = placesIn(recorded);
  if (places.length === 0) return fc.constant(recorded);
  const change = fc.tuple(
    fc.constantFrom(...places),
    fc.oneof(hostile, fc.constant(REMOVED)),
    fc.constantFrom(...HOSTILE_NAMES),
  );
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant(recorded) },
    { weight: 3, arbitrary: change.map(([place, value]) => replacedAt(recorded, place, value)) },
    {
      weight: 1,
      arbitrary: change.map(([place, value, name]) => replacedAt(recorded, [...place.slice(0, -1), name], value)),
    },
  );
}

type Place = readonly (string | number)[];
const REMOVED = Symbol('removed');

function placesIn(value: unknown, above: Place = []): readonly Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = Array.isArray(value) ? value.map((one, n) => [n, one] as const) : Object.entries(value);
  return own.flatMap(([name, one]) => [[...above, name], ...placesIn(one, [...above, name])]);
}

function replacedAt(value: unknown, [name, ...rest]: Place, replacement: unknown): unknown {
  if (name === undefined) return replacement;
  if (Array.isArray(value)) {
    const changed = value.map((one, n) => (n === name ? replacedAt(one, rest, replacement) : one));
    return changed.filter((one) => one !== REMOVED);
  }
  const members = Object.entries(value as object).filter(([own]) => own !== name);
  const changed = replacedAt((value as Json)[name], rest, replacement);
  return Object.fromEntries(changed === REMOVED ? members : [...members, [name, changed]]);
}
