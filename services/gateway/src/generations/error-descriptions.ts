import { isObject } from './codec.ts';

export const REQUIRED_TEXT = 'This field is required.';

/** The texts of a description, flattened: how a message about what is not shown is told under another name. */
export function flattenDescription(description: unknown): readonly string[] {
  if (typeof description === 'string') return [description];
  if (Array.isArray(description)) return description.flatMap(flattenDescription);
  return isObject(description) ? Object.values(description).flatMap(flattenDescription) : [];
}

/** Errors of which several came to one name, as one entry each; the order is kept (generations.md 7.4). */
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
