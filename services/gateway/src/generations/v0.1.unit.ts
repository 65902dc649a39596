import { isObject, type JsonObject } from './codec.ts';

const TEXTS = ['code', 'name', 'name_en', 'name_ru'] as const;
const TRANSLATIONS = ['code', 'name_en', 'name_ru'] as const;

/** A unit as the text that segment 0.1 shows (generations.md 4): its name, else its code. */
export function unitText(unit: unknown): unknown {
  if (!isObject(unit)) return unit;
  return unit['name'] ?? unit['code'];
}

/** What a request says of the unit of an item: `unit` a text, an object or null, and the price of one. */
export interface UnitWish {
  readonly replaces: boolean;
  readonly unit?: unknown;
}

/**
 * The stored unit after a request, without its value. A text that repeats what is shown changes nothing; another one is
 * another unit, whose code and translations nobody has said. Undefined when nothing is left.
 */
export function changedUnit(stored: unknown, { unit, replaces }: UnitWish): JsonObject | undefined {
  const { value: _value, ...before } = isObject(stored) ? stored : {};
  // A unit of which nothing is shown is repeated by saying nothing.
  const isCleared = unit === undefined && replaces && unitText(before) !== undefined;
  if (unit === null || isCleared) return filled(without(before, TEXTS));
  if (typeof unit === 'string') {
    return filled(unitText(before) === unit ? before : { ...without(before, TRANSLATIONS), name: unit });
  }
  if (!isObject(unit)) return filled(before);
  const isOther = typeof unit['name'] === 'string' && unit['name'] !== unitText(before);
  const kept = isOther ? without(before, TRANSLATIONS) : before;
  const said = Object.entries(unit);
  const gone = said.filter(([, value]) => value === null).map(([name]) => name);
  return filled(without({ ...kept, ...unit }, gone));
}

function without(value: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

function filled(value: JsonObject): JsonObject | undefined {
  return Object.keys(value).length > 0 ? value : undefined;
}
