import { isJsonObject, type JsonObject } from '@procurement/contracts/reading/json-object';

const TEXTS = ['code', 'name', 'name_en', 'name_ru'] as const;
const TRANSLATIONS = ['code', 'name_en', 'name_ru'] as const;

/** Text of a unit on segment 0.1: its name, else its code (generations.md 4, unit). */
export function unitText(unit: unknown): unknown {
  if (!isJsonObject(unit)) return unit;
  return unit['name'] ?? unit['code'];
}

export interface UnitChange {
  /** PUT: an absent unit removes the stored one. */
  readonly replaces: boolean;
  /** A text, an object or null; undefined when the request has none. */
  readonly unit?: unknown;
}

/**
 * The stored unit after a request, without its `value`. A text equal to the shown one changes nothing; another text is
 * another unit, so code and translations are dropped. `undefined` when no member is left.
 */
export function applyUnitChange(stored: unknown, { unit, replaces }: UnitChange): JsonObject | undefined {
  const { value: _value, ...before } = isJsonObject(stored) ? stored : {};
  // A stored unit without name and code is not shown, so its absence in a PUT does not clear it.
  const isCleared = unit === undefined && replaces && unitText(before) !== undefined;
  if (unit === null || isCleared) return undefinedIfEmpty(omit(before, TEXTS));
  if (typeof unit === 'string') {
    return undefinedIfEmpty(unitText(before) === unit ? before : { ...omit(before, TRANSLATIONS), name: unit });
  }
  if (!isJsonObject(unit)) return undefinedIfEmpty(before);
  const isOtherUnit = typeof unit['name'] === 'string' && unit['name'] !== unitText(before);
  const kept = isOtherUnit ? omit(before, TRANSLATIONS) : before;
  const sentMembers = Object.entries(unit);
  const removed = sentMembers.filter(([, value]) => value === null).map(([name]) => name);
  return undefinedIfEmpty(omit({ ...kept, ...unit }, removed));
}

function omit(value: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

function undefinedIfEmpty(value: JsonObject): JsonObject | undefined {
  return Object.keys(value).length > 0 ? value : undefined;
}
