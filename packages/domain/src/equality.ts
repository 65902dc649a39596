/**
 * Whether two values are written as the same JSON, whatever the order of members. As in JSON, a member that is undefined is
 * absent, and -0 is 0. Lists compare element by element.
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
