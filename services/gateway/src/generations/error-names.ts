import { isObject } from './codec.ts';

export const REQUIRED_TEXT = 'This field is required.';

/** The texts of a description, flattened: how a message about what is not shown is told under another name. */
export function texts(description: unknown): readonly string[] {
  if (typeof description === 'string') return [description];
  if (Array.isArray(description)) return description.flatMap(texts);
  return isObject(description) ? Object.values(description).flatMap(texts) : [];
}

/** Errors of which several came to one name, as one entry each; the order is kept (generations.md 7.4). */
export function mergedErrors(errors: readonly unknown[]): readonly unknown[] {
  const merged: unknown[] = [];
  for (const error of errors) {
    const at = isObject(error)
      ? merged.findIndex(
          (other) => isObject(other) && other['location'] === error['location'] && other['name'] === error['name'],
        )
      : -1;
    const other = merged[at];
    if (!isObject(error) || !isObject(other)) merged.push(error);
    else merged[at] = { ...other, description: [...listed(other['description']), ...listed(error['description'])] };
  }
  return merged;
}

function listed(description: unknown): readonly unknown[] {
  return Array.isArray(description) ? description : [description];
}
