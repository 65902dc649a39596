import { isObject } from './codec.ts';

export const REQUIRED_TEXT = 'This field is required.';

/** All texts of a description as one list: the form in which a fault is blamed on another member (generations.md 7). */
export function flattenDescription(description: unknown): readonly string[] {
  if (typeof description === 'string') return [description];
  if (Array.isArray(description)) return description.flatMap(flattenDescription);
  return isObject(description) ? Object.values(description).flatMap(flattenDescription) : [];
}

/** Merges errors with the same location and name into one entry; keeps the order (generations.md 7.4). */
export function mergeErrorsByName(errors: readonly unknown[]): readonly unknown[] {
  const merged: unknown[] = [];
  for (const error of errors) {
    const at = isObject(error)
      ? merged.findIndex(
          (other) => isObject(other) && other['location'] === error['location'] && other['name'] === error['name'],
        )
      : -1;
    const other = merged[at];
    if (!isObject(error) || !isObject(other)) merged.push(error);
    else merged[at] = { ...other, description: [...asList(other['description']), ...asList(error['description'])] };
  }
  return merged;
}

function asList(description: unknown): readonly unknown[] {
  return Array.isArray(description) ? description : [description];
}
