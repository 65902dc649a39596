import { isJsonObject, type JsonObject } from '@procurement/contracts/reading/json-object';

type Json = unknown;

/**
 * Applies a PATCH body to an object (http.md 0.3, tenders.md 11.1): sent members are merged, others stay, a null at the top
 * level is ignored, a nested null removes the member. Does not change its arguments.
 */
export function mergePatch(stored: JsonObject, patch: JsonObject): JsonObject {
  const entries = Object.entries(patch).filter(([, value]) => value !== null);
  return mergeEntries(stored, entries);
}

function mergeEntries(stored: JsonObject, entries: readonly (readonly [string, Json])[]): JsonObject {
  // A map of entries, so that a member called __proto__ becomes an own member instead of setting the prototype.
  const merged = new Map<string, Json>(Object.entries(stored));
  for (const [name, value] of entries) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergeValue(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}

function mergeValue(stored: Json, patch: Json): Json {
  if (isJsonObject(patch)) return mergeEntries(isJsonObject(stored) ? stored : {}, Object.entries(patch));
  if (!Array.isArray(patch)) return patch;
  const before: readonly Json[] = Array.isArray(stored) ? stored : [];
  // Lists merge by position: element i into element i. Extra elements are appended, a shorter list removes the rest.
  return patch.map((element: Json, at) => mergeValue(before[at], element));
}
