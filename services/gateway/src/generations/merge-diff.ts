import { deepEqual } from '@procurement/domain/equality';
import { isJsonObject, type JsonObject } from '@procurement/contracts/reading/json-object';

/**
 * The PATCH that turns `stored` into `next`: `mergePatch(stored, mergeDiff(stored, next))` equals `next` (http.md 0.3).
 * Equal members are left out, removed members are null, lists keep their length and hold the difference of each
 * element. It cannot remove a top-level member, because a PATCH ignores null there; no caller needs that.
 */
export function mergeDiff(stored: JsonObject, next: JsonObject): JsonObject {
  const changes: [string, unknown][] = [];
  for (const [name, value] of Object.entries(next)) {
    if (!Object.hasOwn(stored, name)) changes.push([name, value]);
    else if (!deepEqual(stored[name], value)) changes.push([name, valueDiff(stored[name], value)]);
  }
  for (const name of Object.keys(stored)) if (!Object.hasOwn(next, name)) changes.push([name, null]);
  return Object.fromEntries(changes);
}

function valueDiff(stored: unknown, next: unknown): unknown {
  if (isJsonObject(next)) return isJsonObject(stored) ? mergeDiff(stored, next) : next;
  if (!Array.isArray(next)) return next;
  const before: readonly unknown[] = Array.isArray(stored) ? stored : [];
  return next.map((element: unknown, at) => (at < before.length ? valueDiff(before[at], element) : element));
}
