import { z } from 'zod';
import { conversionError, REQUIRED, typeName, validationError } from './error-messages.ts';

/**
 * Elements that any list of a body may have. Decision 2026-11-21: the specification names no bound, but 4 MiB hold a hundred
 * thousand empty elements; real tenders have tens.
 */
export const LIST_MAX = 1_000;

/** An object of known members. `name` stands in messages and names the component in OpenAPI. */
export function model<S extends z.ZodRawShape>(name: string, shape: S) {
  return z.strictObject(shape, {
    error: (issue) => {
      // Other codes (unknown members) are told apart by the reader.
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

/** A list; `read-by.ts` has made a lone scalar a list of one (http.md 4.4). */
export function list<T extends z.ZodType>(element: T, { min = 0, max = LIST_MAX }: ListRules = {}) {
  const items = (count: number): string => `${count} item${count === 1 ? '' : 's'}.`;
  return z
    .array(element, {
      error: (issue) => (issue.input === undefined ? REQUIRED : conversionError('Please provide an array.')),
    })
    .min(min, validationError(`Please provide at least ${items(min)}`))
    .max(max, validationError(`Please provide no more than ${items(max)}`));
}

/** The option that lets a rule between members speak although a member has failed: all faults of a pass are told together. */
export const evenAfterErrors = {
  when: ({ value }: { readonly value: unknown }): boolean => typeof value === 'object' && value !== null,
} as const;
