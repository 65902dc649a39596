import { deepEqual } from '@procurement/domain/equality';
import { isJsonObject } from '@procurement/contracts/reading/json-object';

/** True when the sent value repeats the stored one; a sent object may leave out stored members. */
export function changesNothing(stored: unknown, sent: unknown): boolean {
  if (isJsonObject(sent) && isJsonObject(stored)) {
    return Object.entries(sent).every(([name, value]) => changesNothing(stored[name], value));
  }
  if (Array.isArray(sent) && Array.isArray(stored)) {
    return sent.length === stored.length && sent.every((value, at) => changesNothing(stored[at], value));
  }
  return deepEqual(stored, sent);
}

export const CONFLICT_DESCRIPTION = ['Conflicting values'] as const;

/**
 * The value of a member that a request has under several names (generations.md 5.3): the common value; otherwise, when
 * the object is stored, the only value that does not repeat the stored one (a client that read one name, added the
 * other and sent all back); otherwise `undefined`, a conflict.
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
