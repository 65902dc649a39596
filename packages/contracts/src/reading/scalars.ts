import { z } from 'zod';
import { TEXT_CHARACTERS_MAX, type TextKind } from '../limits.ts';
import { readDateTime } from './instant.ts';
import { conversionError, echo, isStorable, REQUIRED, TOO_LONG, validationError } from './error-messages.ts';
import { withNewValueLimit } from './new-value-limits.ts';

/** The converted value, or an error message with its pass. */
type Conversion<T> = { readonly value: T } | { readonly error: string };

type Meta = Readonly<Record<string, unknown>>;

/** A required scalar with the conversions of tenders.md section 4; `.optional()` makes it optional. `meta` is JSON Schema. */
function scalar<T>(convert: (given: unknown) => Conversion<T>, meta: Meta): z.ZodType<T> {
  return z
    .unknown()
    .transform((given, context): T => {
      const result = given === undefined ? { error: REQUIRED } : convert(given);
      if ('value' in result) return result.value;
      context.issues.push({ code: 'custom', message: result.error, input: given });
      return z.NEVER;
    })
    .meta(meta);
}

export interface TextRules {
  readonly charactersMin?: number;
  readonly charactersMax?: number;
  /** `message` is a message of the second pass. */
  readonly format?: { readonly pattern: RegExp; readonly message: string };
  readonly meta?: Meta;
}

/**
 * A string. Whole numbers are accepted and become text. `kind` limits its length, except that a stored text may stay
 * (`new-value-limits.ts`); `charactersMax` is a rule of the format and holds for stored texts too.
 */
export function text(kind: TextKind, rules: TextRules = {}): z.ZodType<string> {
  const { charactersMin = 0, charactersMax = Infinity, format } = rules;
  const sizes = {
    ...(charactersMin > 0 ? { minLength: charactersMin } : {}),
    maxLength: Math.min(charactersMax, TEXT_CHARACTERS_MAX[kind]),
  };
  const schema = scalar(
    (given) => {
      const value = typeof given === 'number' && Number.isInteger(given) ? String(given) : given;
      if (typeof value !== 'string' || !isStorable(value)) {
        return { error: conversionError(`Couldn't interpret '${echo(given)}' as string.`) };
      }
      if (value.length < charactersMin) return { error: validationError('String value is too short.') };
      if (value.length > charactersMax) return { error: TOO_LONG };
      if (format !== undefined && !format.pattern.test(value)) return { error: validationError(format.message) };
      return { value };
    },
    { type: 'string', ...sizes, ...rules.meta },
  );
  return withNewValueLimit(schema, { charactersMax: TEXT_CHARACTERS_MAX[kind] });
}

/** A member that the caller may not send: one entry of an error names it. */
export function forbidden(): z.ZodType<undefined> {
  return z.never(validationError('Rogue field.')).optional();
}

/** One of the given words. */
export function oneOf<const W extends readonly string[]>(values: W): z.ZodType<W[number]> {
  const message = validationError(`Value must be one of [${values.map((word) => `'${word}'`).join(', ')}].`);
  return scalar<W[number]>(
    (given) => {
      if (typeof given !== 'string')
        return { error: conversionError(`Couldn't interpret '${echo(given)}' as string.`) };
      return values.includes(given) ? { value: given } : { error: message };
    },
    { type: 'string', enum: [...values] },
  );
}

// From this on JSON writes an exponent, and amounts are written without one.
const NUMBER_MAX = 1e21;
// Each text matches in one way only. `\d+\.?\d*` would try all divisions of the digits: 17 s for 200 KB of zeros and a letter.
const NUMERIC = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,4})?\s*$/;

function parseNumber(given: unknown): number | undefined {
  const value = typeof given === 'string' && NUMERIC.test(given) ? Number(given) : given;
  if (typeof value !== 'number' || !Number.isFinite(value) || Math.abs(value) >= NUMBER_MAX) return undefined;
  return value;
}

export interface FloatRules {
  readonly min?: { readonly value: number; readonly printed: string; readonly isExclusive?: true };
  readonly max?: { readonly value: number; readonly printed: string };
}

/** A number, or a text that is one. Bounds are inclusive unless they are marked, although the messages say greater and less. */
export function float({ min, max }: FloatRules = {}): z.ZodType<number> {
  return scalar(
    (given) => {
      const value = parseNumber(given);
      if (value === undefined) return { error: conversionError(`Value '${echo(given)}' is not float.`) };
      if (min !== undefined && (value < min.value || (min.isExclusive === true && value === min.value))) {
        return { error: validationError(`Float value should be greater than ${min.printed}.`) };
      }
      if (max !== undefined && value > max.value) {
        return { error: validationError(`Float value should be less than ${max.printed}.`) };
      }
      return { value };
    },
    {
      type: 'number',
      ...(min === undefined ? {} : { [min.isExclusive === true ? 'exclusiveMinimum' : 'minimum']: min.value }),
      ...(max === undefined ? {} : { maximum: max.value }),
    },
  );
}

/** A whole number. A fraction is truncated. `min` is inclusive, although the message says greater. */
export function integer({ min }: { readonly min?: number } = {}): z.ZodType<number> {
  return scalar(
    (given) => {
      const isText = typeof given === 'string';
      const value = isText && !/^\s*[+-]?\d+\s*$/.test(given) ? undefined : parseNumber(given);
      if (value === undefined) return { error: conversionError(`Value '${echo(given)}' is not int.`) };
      const whole = Math.trunc(value);
      if (min !== undefined && whole < min) {
        return { error: validationError(`Int value should be greater than ${min}.`) };
      }
      return { value: whole };
    },
    { type: 'integer', ...(min === undefined ? {} : { minimum: min }) },
  );
}

const TRUE: ReadonlySet<unknown> = new Set([true, 1, 'true', 'True', '1']);
const FALSE: ReadonlySet<unknown> = new Set([false, 0, 'false', 'False', '0']);

export function boolean(): z.ZodType<boolean> {
  return scalar(
    (given) => {
      if (TRUE.has(given)) return { value: true };
      return FALSE.has(given) ? { value: false } : { error: conversionError('Must be either true or false.') };
    },
    { type: 'boolean' },
  );
}

/** A date or time, normalised to the text that answers show: the same instant in the client's offset (tenders.md 11.3). */
export function dateTime(): z.ZodType<string> {
  return scalar(
    (given) => {
      const isText = typeof given === 'string' && given.length <= TEXT_CHARACTERS_MAX.date;
      const parsed = isText ? readDateTime(given) : undefined;
      if (parsed === undefined) return { error: conversionError(`Could not parse ${echo(given)}. Should be ISO8601.`) };
      if (parsed === 'out-of-range') return { error: conversionError('date value out of range') };
      return { value: parsed.text };
    },
    {
      type: 'string',
      format: 'date-time',
      maxLength: TEXT_CHARACTERS_MAX.date,
      examples: ['2026-05-20T18:00:00+03:00'],
    },
  );
}

/** 32 hex digits. */
export function hexId(): z.ZodType<string> {
  return scalar(
    (given) => {
      if (typeof given !== 'string')
        return { error: conversionError(`Couldn't interpret '${echo(given)}' as string.`) };
      if (given.length !== 32) return { error: conversionError('Hash value is wrong length.') };
      return /^[0-9a-f]{32}$/i.test(given)
        ? { value: given }
        : { error: conversionError('Hash value is not hexadecimal.') };
    },
    { type: 'string', pattern: '^[0-9a-f]{32}$', maxLength: 32 },
  );
}

const URL_PATTERN =
  /^https?:\/\/(?:(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,63}\.?|localhost|\d{1,3}(?:\.\d{1,3}){3})(?::\d+)?(?:[/?#]\S*)?$/iu;
const EMAIL_PATTERN =
  /^[^\s@"(),:;<>[\\\]]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}]{2,63}$/iu;

export function url(): z.ZodType<string> {
  const format = { pattern: URL_PATTERN, message: 'Not a well formed URL.' };
  return text('url', { charactersMax: TEXT_CHARACTERS_MAX.url, format, meta: { format: 'uri' } });
}

export function email(): z.ZodType<string> {
  const format = { pattern: EMAIL_PATTERN, message: 'Not a well formed email address.' };
  return text('email', { charactersMax: TEXT_CHARACTERS_MAX.email, format, meta: { format: 'email' } });
}

/** Any scalar, unchanged: the elevation of a place. */
export function anyScalar(): z.ZodType<string | number | boolean> {
  const schema = scalar(
    (given): Conversion<string | number | boolean> =>
      isScalar(given) ? { value: given } : { error: conversionError(`Couldn't interpret '${echo(given)}' as string.`) },
    { type: ['string', 'number', 'boolean'], maxLength: TEXT_CHARACTERS_MAX.coordinate },
  );
  return withNewValueLimit(schema, { charactersMax: TEXT_CHARACTERS_MAX.coordinate });
}

function isScalar(given: unknown): given is string | number | boolean {
  return (
    (typeof given === 'string' && isStorable(given)) || typeof given === 'boolean' || parseNumber(given) !== undefined
  );
}

/** A coordinate in degrees, kept as it was sent: a number, or a text that is one (rulings R35). */
export function coordinate(name: 'latitude' | 'longitude', degreesMax: number): z.ZodType<string | number> {
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  const malformed = validationError(`Invalid value. Required ${name} format 12.0123456789`);
  const outOfRange = validationError(
    `Invalid value. ${title} must be between -${degreesMax} and ${degreesMax} degree.`,
  );
  return scalar(
    (given): Conversion<string | number> => {
      if (typeof given === 'string' && given.length > TEXT_CHARACTERS_MAX.coordinate) return { error: TOO_LONG };
      const degrees = parseNumber(given);
      if (degrees === undefined || (typeof given !== 'string' && typeof given !== 'number'))
        return { error: malformed };
      return Math.abs(degrees) > degreesMax ? { error: outOfRange } : { value: given };
    },
    { type: ['string', 'number'], maxLength: TEXT_CHARACTERS_MAX.coordinate },
  );
}
