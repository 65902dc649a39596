/** Members that are null, empty lists or empty objects are left out, at any depth (http.md 0.1.7). */
export function omitEmpty<T>(value: T): T {
  if (Array.isArray(value)) {
    // Elements stay, since their places count; only what is in them is cut.
    return value.map((element: unknown) => omitEmpty(element)) as T;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .map(([name, inner]): [string, unknown] => [name, omitEmpty(inner)])
    .filter(([, inner]) => !isEmpty(inner));
  // Only optional members can be nothing: what is required has been read as something.
  return Object.fromEntries(entries) as T;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}
