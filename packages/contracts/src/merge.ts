type Json = unknown;
type Members = Readonly<Record<string, Json>>;

function isMembers(value: Json): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * What a PATCH makes of an object (http.md 0.3, tenders.md 11.1): members sent are merged, others stay; a null at the top is
 * ignored. Pure; the arguments are left as they are.
 */
export function mergePatch(stored: Members, patch: Members): Members {
  const kept = Object.entries(patch).filter(([, value]) => value !== null);
  return mergeMembers(stored, kept);
}

function mergeMembers(stored: Members, patch: readonly (readonly [string, Json])[]): Members {
  // By entries, so that a member called __proto__ becomes one, instead of a prototype.
  const merged = new Map<string, Json>(Object.entries(stored));
  for (const [name, value] of patch) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergeValue(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}

function mergeValue(stored: Json, patch: Json): Json {
  if (isMembers(patch)) return mergeMembers(isMembers(stored) ? stored : {}, Object.entries(patch));
  if (!Array.isArray(patch)) return patch;
  const before: readonly Json[] = Array.isArray(stored) ? stored : [];
  // By position: element i merges into element i, extra ones are appended, a shorter list cuts the tail.
  return patch.map((element: Json, at) => mergeValue(before[at], element));
}
