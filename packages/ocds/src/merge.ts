import { isJsonObject, type JsonObject } from '@procurement/contracts/reading/json-object';
import type { Member } from './schema-member.ts';
import { DEFINITIONS } from './standard.golden.ts';

const VARIANT: Member = { nullable: true };
const UNKNOWN: Member = {};
const NOT_MERGED: ReadonlySet<string> = new Set(['id', 'date', 'tag']);

/** Releases of one ocid with members that the merge reads; others are merged by the schema. */
export interface Dated extends JsonObject {
  readonly ocid: string;
  readonly date: string;
}

/** A member of a definition of the release schema. Variants of languages are matched by pattern there, and may be null. */
export function schemaMember(definition: string | undefined, name: string): Member {
  const members = definition === undefined ? undefined : DEFINITIONS[definition];
  if (members !== undefined && Object.hasOwn(members, name)) return members[name] ?? UNKNOWN;
  return /_[a-z]{2}$/.test(name) ? VARIANT : UNKNOWN;
}

/** Whether a list merges entry by entry; otherwise a later list replaces it (ocds.md 1.6). */
export function mergesById(list: readonly unknown[], member: Member): boolean {
  return member.list !== 'whole' && list.every(isJsonObject);
}

/**
 * The compiled release of an ocid, with one more release. Releases come in the order of their dates, so that merging one at a
 * time gives what merging all at once does (ocds.md 1.6).
 */
export function mergeRelease(compiled: JsonObject | undefined, release: Dated): JsonObject {
  const { id: _id, date: _date, tag: _tag, ...before } = compiled ?? {};
  const content = Object.fromEntries(Object.entries(release).filter(([name]) => !NOT_MERGED.has(name)));
  const head = { tag: ['compiled'], id: `${release.ocid}-${release.date}`, date: release.date };
  return { ...head, ...mergeObject(before, content, 'Release') };
}

/** The compiled release of all releases of one ocid, in any order. */
export function compiledRelease(releases: readonly Dated[]): JsonObject | undefined {
  let compiled: JsonObject | undefined;
  // Dates are compared as text, as the reference implementation does.
  for (const release of releases.toSorted((a, b) => (a.date < b.date ? -1 : Number(a.date > b.date)))) {
    compiled = mergeRelease(compiled, release);
  }
  return compiled;
}

function mergeObject(before: JsonObject, after: JsonObject, definition: string | undefined): JsonObject {
  // A map, so that a member called __proto__ becomes an own member instead of setting the prototype.
  const merged = new Map(Object.entries(before));
  for (const [name, value] of Object.entries(after)) {
    if (value === null) {
      merged.delete(name);
      continue;
    }
    const result = mergeValue(merged.get(name), value, schemaMember(definition, name));
    if (result !== undefined) merged.set(name, result);
  }
  return Object.fromEntries(merged);
}

/** Undefined: an empty object or list changes nothing. */
function mergeValue(before: unknown, after: unknown, member: Member): unknown {
  if (isJsonObject(after)) {
    if (Object.keys(after).length === 0) return before;
    return mergeObject(isJsonObject(before) ? before : {}, after, member.of);
  }
  if (!Array.isArray(after) || !mergesById(after, member)) return after;
  return after.length === 0 ? before : mergeById(Array.isArray(before) ? before : [], after, member.of);
}

function mergeById(
  before: readonly unknown[],
  after: readonly JsonObject[],
  definition: string | undefined,
): readonly unknown[] {
  const merged = [...before];
  const positions = new Map(merged.map((entry, at) => [readId(entry), at]));
  for (const entry of after) {
    const id = readId(entry);
    const at = id === undefined ? undefined : positions.get(id);
    const old = at === undefined ? undefined : merged[at];
    const result = mergeObject(isJsonObject(old) ? old : {}, entry, definition);
    if (at !== undefined) merged[at] = result;
    else positions.set(id, merged.push(result) - 1);
  }
  return merged;
}

/** Numbers and texts of the same digits are one id, as in the reference implementation. */
function readId(entry: unknown): string | undefined {
  const id = isJsonObject(entry) ? entry['id'] : undefined;
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}
