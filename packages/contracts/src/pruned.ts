/** Members that are null, empty lists or empty objects are left out, at any depth (http.md 0.1.7). */
export function pruned<T>(value: T): T {
  if (Array.isArray(value)) {
    // Elements stay, since their places count; only what is in them is cut.
    return value.map((element: unknown) => pruned(element)) as T;
  }
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value)
    .map(([name, inner]): [string, unknown] => [name, pruned(inner)])
    .filter(([, inner]) => !isNothing(inner));
  // Only optional members can be nothing: what is required has been read as something.
  return Object.fromEntries(kept) as T;
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}
