import { z } from 'zod';
import { conversionError, REQUIRED, typeName, validationError } from './error-messages.ts';

/** Most elements of a list in a body (docs/decisions/0008-bounded-lists.md): a body of 4 MiB can hold 100,000 empty ones. */
export const LIST_MAX = 1_000;

/** An object that refuses unknown members. `name` appears in error messages. */
export function model<S extends z.ZodRawShape>(name: string, shape: S) {
  return z.strictObject(shape, {
    error: (issue) => {
      // `parseWith` makes the messages of the other codes, such as unknown members.
      if (issue.code !== 'invalid_type') return undefined;
      if (issue.input === undefined) return REQUIRED;
      const given = typeName(issue.input);
      return conversionError(`Please use a mapping for this field or ${name} instance instead of ${given}.`);
    },
  });
}

export interface ListRules {
  readonly min?: number;
  readonly max?: number;
}

/** A list. `parseWith` turns a single scalar into a list of one before (http.md 4.4). */
export function list<T extends z.ZodType>(element: T, { min = 0, max = LIST_MAX }: ListRules = {}) {
  const items = (count: number): string => `${count} item${count === 1 ? '' : 's'}.`;
  return z
    .array(element, {
      error: (issue) => (issue.input === undefined ? REQUIRED : conversionError('Please provide an array.')),
    })
    .min(min, validationError(`Please provide at least ${items(min)}`))
    .max(max, validationError(`Please provide no more than ${items(max)}`));
}

/** Runs a rule between members even if a member is invalid, because all errors of a pass are answered together. */
export const evenAfterErrors = {
  when: ({ value }: { readonly value: unknown }): boolean => typeof value === 'object' && value !== null,
} as const;
