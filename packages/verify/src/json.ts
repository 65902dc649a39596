import { decodeText } from '@procurement/proof/hash';

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses an answer. Returns undefined for anything but an object. */
export function parseObject(given: Uint8Array | string): JsonObject | undefined {
  const text = typeof given === 'string' ? given : decodeText(given);
  try {
    const value: unknown = JSON.parse(text ?? '');
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the member `data` of an answer of the API, which is an object. */
export function parseData(given: Uint8Array | string): JsonObject | undefined {
  const data = parseObject(given)?.['data'];
  return isObject(data) ? data : undefined;
}

export function asObjects(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Says whether the value has a member. The names lead to it from the outside to the inside. */
export function hasMember(value: unknown, names: readonly string[]): boolean {
  let parent: unknown = value;
  for (const name of names.slice(0, -1)) parent = readMember(parent, name);
  const last = names.at(-1);
  return last !== undefined && typeof parent === 'object' && parent !== null && Object.hasOwn(parent, last);
}

function readMember(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  // Safe cast: it has this member.
  return (value as JsonObject)[name];
}

/** Returns parsed JSON without one member, or the same value when it is not there. */
export function withoutMember(value: unknown, [name, ...others]: readonly string[]): unknown {
  if (name === undefined || !hasMember(value, [name])) return value;
  const inner = readMember(value, name);
  if (Array.isArray(value)) {
    const at = Number(name);
    return others.length === 0 ? value.toSpliced(at, 1) : value.with(at, withoutMember(inner, others));
  }
  const { [name]: _, ...rest } = value as JsonObject;
  return others.length === 0 ? rest : { ...(value as JsonObject), [name]: withoutMember(inner, others) };
}

const FRACTION = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,6})\d*)?(Z|[+-]\d\d:\d\d)$/;

/** Returns an instant in whole microseconds since 1970; undefined for other text. */
export function parseMicroseconds(date: unknown): bigint | undefined {
  const [, seconds, fraction = '', zone] = FRACTION.exec(typeof date === 'string' ? date : '') ?? [];
  const ms = seconds === undefined ? Number.NaN : Date.parse(`${seconds}${zone}`);
  return Number.isNaN(ms) ? undefined : BigInt(ms) * 1_000n + BigInt(fraction.padEnd(6, '0'));
}
