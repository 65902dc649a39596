import { deepEqual } from '@procurement/domain/equality';
import { isObject, type JsonObject } from './codec.ts';

/**
 * The PATCH that makes `next` of `stored`: `mergePatch(stored, mergeDiff(stored, next))` is `next` (http.md 0.3). Members
 * that are equal are left out, those that go are null, lists are sent in full length with what differs of each element.
 * Nothing can be removed at the top, where a null is ignored; what calls this removes nothing there.
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
  if (isObject(next)) return isObject(stored) ? mergeDiff(stored, next) : next;
  if (!Array.isArray(next)) return next;
  const before: readonly unknown[] = Array.isArray(stored) ? stored : [];
  return next.map((element: unknown, at) => (at < before.length ? valueDiff(before[at], element) : element));
}
