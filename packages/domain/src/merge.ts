type Json = unknown;
type JsonObject = Readonly<Record<string, Json>>;

function isJsonObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * What a PATCH makes of an object (http.md 0.3, tenders.md 11.1): members sent are merged, others stay; a null at the top is
 * ignored. Pure; the arguments are left as they are.
 */
export function mergePatch(stored: JsonObject, patch: JsonObject): JsonObject {
  const entries = Object.entries(patch).filter(([, value]) => value !== null);
  return mergeEntries(stored, entries);
}

function mergeEntries(stored: JsonObject, entries: readonly (readonly [string, Json])[]): JsonObject {
  // By entries, so that a member called __proto__ becomes one, instead of a prototype.
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
  // By position: element i merges into element i, extra ones are appended, a shorter list cuts the tail.
  return patch.map((element: Json, at) => mergeValue(before[at], element));
}
