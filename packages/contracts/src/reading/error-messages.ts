/**
 * Validation has two passes and the second speaks only if the first is silent (tenders.md 5.1): a message carries its pass
 * in front, so that one schema holds both and the reader can tell them apart.
 */
export type Pass = 'conversion' | 'validation';

const PASS_PREFIX = { conversion: '1:', validation: '2:' } as const;

/** A message of the first pass: types, dates and numbers that cannot be read, unknown members. */
export function conversionError(message: string): string {
  return PASS_PREFIX.conversion + message;
}

/** A message of the second pass: required, choices, ranges, sizes, rules between members. */
export function validationError(message: string): string {
  return PASS_PREFIX.validation + message;
}

/** The pass and the text of a message made above. */
export function splitPass(prefixed: string): { readonly pass: Pass; readonly message: string } {
  return {
    pass: prefixed.startsWith(PASS_PREFIX.conversion) ? 'conversion' : 'validation',
    message: prefixed.slice(2),
  };
}

export const REQUIRED = validationError('This field is required.');
export const ROGUE_FIELD = 'Rogue field';

/** What a client sees of the value it sent: short, and without what cannot be shown. */
export function echo(value: unknown): string {
  // JSON.stringify gives text for everything that JSON.parse can have given.
  const text = typeof value === 'string' ? value : String(JSON.stringify(value));
  return text.slice(0, 100).replaceAll('\u0000', '').replaceAll(LONE_SURROGATES, '');
}

/** Names of types as brokers know them from the service that ran on Python. */
export function typeName(value: unknown): string {
  if (typeof value === 'string') return 'unicode';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float';
  if (value === null) return 'NoneType';
  return Array.isArray(value) ? 'list' : 'dict';
}

// One half of a surrogate pair is no character; UTF-8 has no bytes for it.
const LONE_SURROGATES = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/** Whether a text can be stored: PostgreSQL holds no NUL, and UTF-8 no half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !text.includes('\u0000') && text.search(LONE_SURROGATES) < 0;
}
