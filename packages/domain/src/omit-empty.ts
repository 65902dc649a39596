/** Removes members that are null, undefined, empty lists or empty objects, at any depth (http.md 0.1.7). */
export function omitEmpty<T>(value: T): T {
  // Most values have nothing to remove and stay as they are: no copy is made of them.
  // Safe cast: only optional members can be empty, required ones were validated.
  return withoutEmpty(value) as T;
}

function withoutEmpty(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    // Elements stay even when empty, because their positions count.
    const elements = value.map(withoutEmpty);
    return elements.every((element, at) => element === value[at]) ? value : elements;
  }
  const before = Object.entries(value);
  let isSame = true;
  const after: [string, unknown][] = [];
  for (const [name, inner] of before) {
    const kept = withoutEmpty(inner);
    if (isEmpty(kept)) isSame = false;
    else {
      isSame &&= kept === inner;
      after.push([name, kept]);
    }
  }
  return isSame ? value : Object.fromEntries(after);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'object' && isWithoutMembers(value));
}

function isWithoutMembers(value: object): boolean {
  for (const name in value) if (Object.hasOwn(value, name)) return false;
  return true;
}
