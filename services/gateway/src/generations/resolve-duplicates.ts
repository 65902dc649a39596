import { deepEqual } from '@procurement/domain/equality';
import { isObject } from './codec.ts';

/** True when sending this would change nothing of what is stored: an object may say less than the stored one does. */
export function changesNothing(stored: unknown, sent: unknown): boolean {
  if (isObject(sent) && isObject(stored)) {
    return Object.entries(sent).every(([name, value]) => changesNothing(stored[name], value));
  }
  if (Array.isArray(sent) && Array.isArray(stored)) {
    return sent.length === stored.length && sent.every((value, at) => changesNothing(stored[at], value));
  }
  return deepEqual(stored, sent);
}

export const CONFLICT_DESCRIPTION = ['Conflicting values'] as const;

/**
 * What counts when one member came under several names: the common value; else, with something stored, the only one that
 * is not a repeat of it (a client that read one name, added the other and sent all back); else undefined, a conflict
 * (generations.md 5.3).
 */
export function resolveDuplicates(
  values: readonly unknown[],
  stored?: { readonly value: unknown },
): { value: unknown } | undefined {
  const [first, ...others] = values;
  if (others.every((other) => deepEqual(first, other))) return { value: first };
  if (stored === undefined) return undefined;
  const [changed, ...more] = values.filter((value) => !changesNothing(stored.value, value));
  return more.length === 0 ? { value: changed } : undefined;
}
