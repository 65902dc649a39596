import { z } from 'zod';
import { LIST_ELEMENTS_MAX, type ListKind } from '../limits.ts';
import { conversionError, items, REQUIRED, typeName, validationError } from './error-messages.ts';
import { withNewValueLimit } from './new-value-limits.ts';

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

/**
 * A list. `kind` limits the number of its elements, except that a stored list may stay (`new-value-limits.ts`). `parseWith` turns a
 * single scalar into a list of one before (http.md 4.4).
 */
export function list<T extends z.ZodType>(kind: ListKind, element: T, { min = 0 }: { readonly min?: number } = {}) {
  const elementsMax = LIST_ELEMENTS_MAX[kind];
  const schema = z
    .array(element, {
      error: (issue) => (issue.input === undefined ? REQUIRED : conversionError('Please use a list for this field.')),
    })
    .min(min, validationError(`Please provide at least ${items(min)}`))
    .meta({ maxItems: elementsMax });
  return withNewValueLimit(schema, { elementsMax });
}

/** Runs a rule between members even if a member is invalid, because all errors of a pass are answered together. */
export const evenAfterErrors = {
  when: ({ value }: { readonly value: unknown }): boolean => typeof value === 'object' && value !== null,
} as const;
