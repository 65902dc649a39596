/**
 * Validation has two passes; errors of the second are answered only if the first has none (tenders.md 5.1). A message starts
 * with its pass, so that one schema can hold the rules of both.
 */
export type Pass = 'conversion' | 'validation';

const PASS_PREFIX = { conversion: '1:', validation: '2:' } as const;

/** A message of the first pass: wrong types, dates and numbers that cannot be parsed, unknown members. */
export function conversionError(message: string): string {
  return PASS_PREFIX.conversion + message;
}

/** A message of the second pass: required members, enums, ranges, sizes, rules between members. */
export function validationError(message: string): string {
  return PASS_PREFIX.validation + message;
}

/** Pass and text of a message that one of these two functions made. */
export function splitPass(prefixed: string): { readonly pass: Pass; readonly message: string } {
  return {
    pass: prefixed.startsWith(PASS_PREFIX.conversion) ? 'conversion' : 'validation',
    message: prefixed.slice(2),
  };
}

export const REQUIRED = validationError('This field is required.');
export const ROGUE_FIELD = 'Rogue field';

/** The value that a client sent, for an error message: at most 100 characters, and only printable ones. */
export function echo(value: unknown): string {
  // JSON.stringify returns a string for every result of JSON.parse.
  const text = typeof value === 'string' ? value : String(JSON.stringify(value));
  return text.slice(0, 100).replaceAll('\u0000', '').replaceAll(LONE_SURROGATES, '');
}

/** Kept for brokers: names of types as in the original service, which ran on Python. */
export function typeName(value: unknown): string {
  if (typeof value === 'string') return 'unicode';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float';
  if (value === null) return 'NoneType';
  return Array.isArray(value) ? 'list' : 'dict';
}

// Half of a surrogate pair is not a character and has no UTF-8 form.
const LONE_SURROGATES = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/** Whether PostgreSQL can store a text: without NUL and lone surrogates. */
export function isStorable(text: string): boolean {
  return !text.includes('\u0000') && text.search(LONE_SURROGATES) < 0;
}

/** A number of elements, for an error message. */
export function items(count: number): string {
  return `${count} item${count === 1 ? '' : 's'}.`;
}

export const TOO_LONG = validationError('String value is too long.');

export function tooManyItems(max: number): string {
  return validationError(`Please provide no more than ${items(max)}`);
}
