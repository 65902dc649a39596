import { isJsonObject } from '@procurement/contracts/reading/json-object';

export const REQUIRED_TEXT = 'This field is required.';

/** All texts of a description as one list: the form in which a fault is blamed on another member (generations.md 7). */
export function flattenDescription(description: unknown): readonly string[] {
  if (typeof description === 'string') return [description];
  if (Array.isArray(description)) return description.flatMap(flattenDescription);
  return isJsonObject(description) ? Object.values(description).flatMap(flattenDescription) : [];
}

/** Merges errors with the same location and name into one entry; keeps the order (generations.md 7.4). */
export function mergeErrorsByName(errors: readonly unknown[]): readonly unknown[] {
  const errorsByPlace = new Map<string, unknown[]>();
  for (const [at, error] of errors.entries()) {
    // What is no error object stays an entry of its own.
    const place = isJsonObject(error) ? JSON.stringify([error['location'], error['name']]) : String(at);
    const samePlace = errorsByPlace.get(place);
    if (samePlace === undefined) errorsByPlace.set(place, [error]);
    else samePlace.push(error);
  }
  return [...errorsByPlace.values()].map(mergeSamePlace);
}

function mergeSamePlace(errors: readonly unknown[]): unknown {
  const [first] = errors;
  if (errors.length === 1 || !isJsonObject(first)) return first;
  return {
    ...first,
    description: errors.flatMap((error) => (isJsonObject(error) ? asList(error['description']) : [])),
  };
}

function asList(description: unknown): readonly unknown[] {
  return Array.isArray(description) ? description : [description];
}
