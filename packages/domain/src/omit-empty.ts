/** Removes members that are null, undefined, empty lists or empty objects, at any depth (http.md 0.1.7). */
export function omitEmpty<T>(value: T): T {
  if (Array.isArray(value)) {
    // Elements stay even when empty, because their positions count.
    return value.map((element: unknown) => omitEmpty(element)) as T;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .map(([name, inner]): [string, unknown] => [name, omitEmpty(inner)])
    .filter(([, inner]) => !isEmpty(inner));
  // Safe cast: only optional members can be empty, required ones were validated.
  return Object.fromEntries(entries) as T;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}
