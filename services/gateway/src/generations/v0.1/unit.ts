import { isObject, type JsonObject } from '../codec.ts';

const TEXTS = ['code', 'name', 'name_en', 'name_ru'] as const;
const TRANSLATIONS = ['code', 'name_en', 'name_ru'] as const;

/** A unit as the text that segment 0.1 shows (generations.md 4): its name, else its code. */
export function unitText(unit: unknown): unknown {
  if (!isObject(unit)) return unit;
  return unit['name'] ?? unit['code'];
}

/** What a request says of the unit of an item: `unit` a text, an object or null, and the price of one. */
export interface UnitChange {
  readonly replaces: boolean;
  readonly unit?: unknown;
}

/**
 * The stored unit after a request, without its value. A text that repeats what is shown changes nothing; another one is
 * another unit, whose code and translations nobody has said. Undefined when nothing is left.
 */
export function applyUnitChange(stored: unknown, { unit, replaces }: UnitChange): JsonObject | undefined {
  const { value: _value, ...before } = isObject(stored) ? stored : {};
  // A unit of which nothing is shown is repeated by saying nothing.
  const isCleared = unit === undefined && replaces && unitText(before) !== undefined;
  if (unit === null || isCleared) return undefinedIfEmpty(omit(before, TEXTS));
  if (typeof unit === 'string') {
    return undefinedIfEmpty(unitText(before) === unit ? before : { ...omit(before, TRANSLATIONS), name: unit });
  }
  if (!isObject(unit)) return undefinedIfEmpty(before);
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
