import { allowing, problem, type Problem } from '@procurement/contracts/problems/problems';
import { readDecimalOffset, readOffset } from '@procurement/domain/feed-offset';

/** Reads the value of a parameter; undefined when it is not readable or out of range. */
export interface Reader<T> {
  (text: string): T | undefined;
  /** What is readable, for refusals: the values, or how they are written. */
  readonly allowed?: readonly string[];
}

/** A reader whose refusals name what it reads. */
export function naming<T>(allowed: readonly string[], read: (text: string) => T | undefined): Reader<T> {
  return Object.assign((text: string) => read(text), { allowed });
}

/** One of these words. */
export function oneOf<const W extends string>(words: readonly W[]): Reader<W> {
  return naming(words, (text) => words.find((word) => word === text));
}

/** The refusal of a value that `reader` does not read. */
export function invalidParameter(name: string, { allowed }: { readonly allowed?: readonly string[] } = {}): Problem {
  const refusal = problem('params.invalid', { name });
  return allowed === undefined ? refusal : allowing(refusal, { allowedValues: allowed });
}

/** The parameters of an endpoint, by name. */
export type ParameterTable = Readonly<Record<string, Reader<unknown>>>;

/** The values of the parameters that were sent. */
export type ParametersOf<T extends ParameterTable> = {
  readonly [K in keyof T]?: T[K] extends Reader<infer V> ? V : never;
};

/** Pairs of parameters that exclude each other; the refusal names the second. */
export type Conflicts = readonly (readonly [first: string, second: string])[];

export type ParameterReading<T extends ParameterTable> =
  | { readonly parameters: ParametersOf<T> }
  | { readonly refused: Problem };

export interface ReadingOptions {
  readonly conflicts?: Conflicts;
  /** The gateway formats the answer by `opt_pretty` and `opt_jsonp`, which are then no unknown parameters. */
  readonly isFormatted?: boolean;
}

/** The gateway formats answers by them. */
const FORMAT_PARAMETERS: ReadonlySet<string> = new Set(['opt_pretty', 'opt_jsonp']);
const LIST_ENTRIES_MAX = 50;

/**
 * Reads a query strictly (register.md 3.2): an unknown parameter, one with an unreadable value, one that is sent twice and one that
 * excludes another are refused with 400. An empty value counts as absent.
 */
export function readParameters<T extends ParameterTable>(
  query: string,
  table: T,
  { conflicts = [], isFormatted = true }: ReadingOptions = {},
): ParameterReading<T> {
  const values = new Map<string, unknown>();
  for (const [name, text] of new URLSearchParams(query)) {
    if (isFormatted && FORMAT_PARAMETERS.has(name)) continue;
    const read = Object.hasOwn(table, name) ? table[name] : undefined;
    if (read === undefined) {
      return { refused: allowing(problem('params.unknown', { name }), { allowedValues: Object.keys(table) }) };
    }
    if (text === '') continue;
    const value = values.has(name) ? undefined : read(text);
    if (value === undefined) return { refused: invalidParameter(name, read) };
    values.set(name, value);
  }
  for (const [first, second] of conflicts) {
    if (values.has(first) && values.has(second))
      return { refused: problem('params.conflict', { name: second, first }) };
  }
  // Safe cast: every value was read by the reader of its name.
  return { parameters: Object.fromEntries(values) as ParametersOf<T> };
}

/** A whole number between two bounds, both included. */
export function wholeNumber(min: number, max: number): Reader<number> {
  return naming([`${min} to ${max}`], (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : undefined;
  });
}

/** Values separated by commas, each read by `read`; every value once. */
export function listOf<T>(read: Reader<T>, entriesMax = LIST_ENTRIES_MAX): Reader<readonly T[]> {
  const allowed = [...(read.allowed ?? []), `up to ${entriesMax} values, separated by commas`];
  return naming(allowed, (text) => {
    const entries = text.split(',');
    if (entries.length > entriesMax) return undefined;
    const values = entries.map((entry) => read(entry.trim()));
    return values.includes(undefined) ? undefined : [...new Set(values.filter((value) => value !== undefined))];
  });
}

/** `1` switches a parameter on. */
export const flag: Reader<true> = naming(['1'], (text) => (text === '1' ? true : undefined));

/** A position, in every form that the feed of segment 2.5 takes (http.md 1.3). */
export const position: Reader<bigint> = naming(
  ['an offset of the feed, or a time in ISO 8601'],
  (text) => readDecimalOffset(text) ?? readOffset(text),
);

/** A text that is judged later. A character is a code point, as in JSON Schema. PostgreSQL takes no character 0. */
export function anyText(charactersMax: number): Reader<string> {
  return naming([`text of up to ${charactersMax} characters`], (text) =>
    isLongerThan(text, charactersMax) || text.includes('\0') ? undefined : text,
  );
}

/** Counts code points. The check of `length` spares the counting of a long text. */
export function isLongerThan(text: string, charactersMax: number): boolean {
  return text.length > 2 * charactersMax || (text.length > charactersMax && Array.from(text).length > charactersMax);
}
