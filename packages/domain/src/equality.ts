/**
 * Whether two values are the same JSON, regardless of the order of members. As in JSON, an undefined member is absent, and -0
 * equals 0. Lists compare element by element.
 */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b || Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [definedEntries(a), new Map(definedEntries(b))];
  return (
    left.length === right.size && left.every(([name, value]) => right.has(name) && deepEqual(value, right.get(name)))
  );
}

function definedEntries(value: object): readonly [string, unknown][] {
  return Object.entries(value).filter(([, member]) => member !== undefined);
}
