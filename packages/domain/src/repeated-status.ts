import { deepEqual } from './equality.ts';
import { mergePatch } from './merge.ts';

/**
 * Whether a PATCH sends the present status and nothing that differs from the stored object. For the owner of the object it is 200
 * without effect, also where the state allows no change (rulings R27).
 */
export function repeatsStatus(
  stored: { readonly status?: string | undefined },
  data: Readonly<Record<string, unknown>>,
): boolean {
  return data['status'] === stored.status && 'status' in data && deepEqual(mergePatch({ ...stored }, data), stored);
}
