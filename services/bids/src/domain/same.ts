/** Whether two documents show the same, whatever the order of their members. A member that is undefined is absent. */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [definedEntries(a), new Map(definedEntries(b))];
  return (
    left.length === right.size && left.every(([name, value]) => right.has(name) && deepEqual(value, right.get(name)))
  );
}

function definedEntries(value: object): readonly [string, unknown][] {
  return Object.entries(value).filter(([, inner]) => inner !== undefined);
}
