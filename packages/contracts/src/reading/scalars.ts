import { z } from 'zod';
import { readDateTime } from './instant.ts';
import { conversionError, echo, isStorable, REQUIRED, validationError } from './error-messages.ts';

/** What a conversion came to: the value, or a marked message. */
type Conversion<T> = { readonly value: T } | { readonly fault: string };

type Meta = Readonly<Record<string, unknown>>;

/** A required scalar that is converted as tenders.md section 4 says; `.optional()` makes it optional. */
function scalar<T>(convert: (given: unknown) => Conversion<T>, meta: Meta): z.ZodType<T> {
  return z
    .unknown()
    .transform((given, context): T => {
      const result = given === undefined ? { fault: REQUIRED } : convert(given);
      if ('value' in result) return result.value;
      context.issues.push({ code: 'custom', message: result.fault, input: given });
      return z.NEVER;
    })
    .meta(meta);
}

export interface TextRules {
  readonly charactersMin?: number;
  readonly charactersMax?: number;
  /** Message of the second pass when the text does not have the form. */
  readonly format?: { readonly pattern: RegExp; readonly message: string };
  readonly meta?: Meta;
}

/** A string; whole numbers are taken as text. */
export function text(rules: TextRules = {}): z.ZodType<string> {
  const { charactersMin = 0, charactersMax = Infinity, format } = rules;
  const sizes = {
    ...(charactersMin > 0 ? { minLength: charactersMin } : {}),
    ...(charactersMax < Infinity ? { maxLength: charactersMax } : {}),
  };
  return scalar(
    (given) => {
      const value = typeof given === 'number' && Number.isInteger(given) ? String(given) : given;
      if (typeof value !== 'string' || !isStorable(value)) {
        return { fault: conversionError(`Couldn't interpret '${echo(given)}' as string.`) };
      }
      if (value.length < charactersMin) return { fault: validationError('String value is too short.') };
      if (value.length > charactersMax) return { fault: validationError('String value is too long.') };
      if (format !== undefined && !format.pattern.test(value)) return { fault: validationError(format.message) };
      return { value };
    },
    { type: 'string', ...sizes, ...rules.meta },
  );
}

/** One of a list of words. */
export function oneOf<const W extends readonly string[]>(values: W): z.ZodType<W[number]> {
  const message = validationError(`Value must be one of [${values.map((word) => `'${word}'`).join(', ')}].`);
  return scalar<W[number]>(
    (given) => {
      if (typeof given !== 'string')
        return { fault: conversionError(`Couldn't interpret '${echo(given)}' as string.`) };
      return values.includes(given) ? { value: given } : { fault: message };
    },
    { type: 'string', enum: [...values] },
  );
}

// Beyond this JSON writes an exponent, and amounts are printed without one.
const NUMBER_MAX = 1e21;
const NUMERIC = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,4})?\s*$/;

function numberOf(given: unknown): number | undefined {
  const value = typeof given === 'string' && NUMERIC.test(given) ? Number(given) : given;
  if (typeof value !== 'number' || !Number.isFinite(value) || Math.abs(value) >= NUMBER_MAX) return undefined;
  return value;
}

export interface FloatRules {
  readonly min?: { readonly value: number; readonly printed: string };
  readonly max?: { readonly value: number; readonly printed: string };
}

/** A number, or a text that is one. Bounds are inclusive, whatever the message says. */
export function float({ min, max }: FloatRules = {}): z.ZodType<number> {
  return scalar(
    (given) => {
      const value = numberOf(given);
      if (value === undefined) return { fault: conversionError(`Value '${echo(given)}' is not float.`) };
      if (min !== undefined && value < min.value) {
        return { fault: validationError(`Float value should be greater than ${min.printed}.`) };
      }
      if (max !== undefined && value > max.value) {
        return { fault: validationError(`Float value should be less than ${max.printed}.`) };
      }
      return { value };
    },
    {
      type: 'number',
      ...(min === undefined ? {} : { minimum: min.value }),
      ...(max === undefined ? {} : { maximum: max.value }),
    },
  );
}

/** A whole number; a fraction is cut. */
export function integer(): z.ZodType<number> {
  return scalar(
    (given) => {
      const isText = typeof given === 'string';
      const value = isText && !/^\s*[+-]?\d+\s*$/.test(given) ? undefined : numberOf(given);
      if (value === undefined) return { fault: conversionError(`Value '${echo(given)}' is not int.`) };
      return { value: Math.trunc(value) };
    },
    { type: 'integer' },
  );
}

const TRUE: ReadonlySet<unknown> = new Set([true, 1, 'true', 'True', '1']);
const FALSE: ReadonlySet<unknown> = new Set([false, 0, 'false', 'False', '0']);

export function boolean(): z.ZodType<boolean> {
  return scalar(
    (given) => {
      if (TRUE.has(given)) return { value: true };
      return FALSE.has(given) ? { value: false } : { fault: conversionError('Must be either true or false.') };
    },
    { type: 'boolean' },
  );
}

/** A date or time, kept as the text that goes back: the same instant in the offset that was given (tenders.md 11.3). */
export function dateTime(): z.ZodType<string> {
  return scalar(
    (given) => {
      const parsed = typeof given === 'string' ? readDateTime(given) : undefined;
      if (parsed === undefined) return { fault: conversionError(`Could not parse ${echo(given)}. Should be ISO8601.`) };
      return parsed === 'out-of-range' ? { fault: conversionError('date value out of range') } : { value: parsed.text };
    },
    { type: 'string', format: 'date-time', examples: ['2026-05-20T18:00:00+03:00'] },
  );
}

/** 32 lower-case hex digits. */
export function hexId(): z.ZodType<string> {
  return scalar(
    (given) => {
      if (typeof given !== 'string')
        return { fault: conversionError(`Couldn't interpret '${echo(given)}' as string.`) };
      if (given.length !== 32) return { fault: conversionError('Hash value is wrong length.') };
      return /^[0-9a-f]{32}$/i.test(given)
        ? { value: given }
        : { fault: conversionError('Hash value is not hexadecimal.') };
    },
    { type: 'string', pattern: '^[0-9a-f]{32}$' },
  );
}

const URL_PATTERN =
  /^https?:\/\/(?:(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,63}\.?|localhost|\d{1,3}(?:\.\d{1,3}){3})(?::\d+)?(?:[/?#]\S*)?$/iu;
const EMAIL_PATTERN =
  /^[^\s@"(),:;<>[\\\]]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}]{2,63}$/iu;

export function url(): z.ZodType<string> {
  const format = { pattern: URL_PATTERN, message: 'Not a well formed URL.' };
  return text({ charactersMax: 2_048, format, meta: { format: 'uri' } });
}

export function email(): z.ZodType<string> {
  const format = { pattern: EMAIL_PATTERN, message: 'Not a well formed email address.' };
  return text({ charactersMax: 320, format, meta: { format: 'email' } });
}

/** Any scalar, kept as it is: coordinates. */
export function anyScalar(): z.ZodType<string | number | boolean> {
  return scalar(
    (given) => {
      const isText = typeof given === 'string' && isStorable(given);
      if (isText || typeof given === 'boolean' || numberOf(given) !== undefined) return { value: given as string };
      return { fault: conversionError(`Couldn't interpret '${echo(given)}' as string.`) };
    },
    { type: ['string', 'number', 'boolean'] },
  );
}
