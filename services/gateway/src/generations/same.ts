import { isObject } from './codec.ts';

/** Equal as JSON values: member order is free, list order counts. */
export function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b) || a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((element, at) => same(element, b[at]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && same(a[name], b[name]))
  );
}

/** True when sending this would change nothing of what is stored: an object may say less than the stored one does. */
export function repeats(stored: unknown, sent: unknown): boolean {
  if (isObject(sent) && isObject(stored)) {
    return Object.entries(sent).every(([name, value]) => repeats(stored[name], value));
  }
  if (Array.isArray(sent) && Array.isArray(stored)) {
    return sent.length === stored.length && sent.every((value, at) => repeats(stored[at], value));
  }
  return same(stored, sent);
}

export const CONFLICT = ['Conflicting values'] as const;

/**
 * What counts when one member came under several names: the common value; else, with something stored, the only one that
 * is not a repeat of it (a client that read one name, added the other and sent all back); else undefined, a conflict
 * (generations.md 5.3).
 */
export function agreed(
  values: readonly unknown[],
  stored?: { readonly value: unknown },
): { value: unknown } | undefined {
  const [first, ...others] = values;
  if (others.every((other) => same(first, other))) return { value: first };
  if (stored === undefined) return undefined;
  const [changed, ...more] = values.filter((value) => !repeats(stored.value, value));
  return more.length === 0 ? { value: changed } : undefined;
}
