import { isJsonObject, type JsonObject } from '@procurement/contracts/reading/json-object';
import { schemaMember, mergesById } from './merge.ts';
import type { Member } from './schema-member.ts';
import { asObjects } from './values.ts';

/**
 * The snapshot `after` with markers for all that was in `before` and is gone: a merge keeps what a later release leaves out
 * (ocds.md 1.5). Neither argument changes.
 */
export function withRemovalMarkers(
  before: JsonObject,
  after: JsonObject,
  definition: string | undefined = 'Release',
): JsonObject {
  const marked: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(after)) {
    marked[name] = markedValue(before[name], value, schemaMember(definition, name));
  }
  for (const [name, value] of Object.entries(before)) {
    const marker = name in after ? undefined : buildMarker(value, schemaMember(definition, name));
    if (marker !== undefined) marked[name] = marker;
  }
  return marked;
}

function markedValue(before: unknown, after: unknown, member: Member): unknown {
  if (isJsonObject(before) && isJsonObject(after)) return withRemovalMarkers(before, after, member.of);
  if (!Array.isArray(before) || !Array.isArray(after) || !mergesById(after, member)) return after;
  const earlier = new Map(asObjects(before).map((entry) => [entry['id'], entry]));
  const present = new Set(asObjects(after).map(({ id }) => id));
  return [
    ...asObjects(after).map((entry) => markedValue(earlier.get(entry['id']), entry, { of: member.of ?? '' })),
    ...asObjects(before)
      .filter(({ id }) => !present.has(id))
      .map((entry) => removedEntry(entry, member.of)),
  ];
}

/** The marker of a value that is gone; undefined where the schema admits none, and the merge keeps the old value. */
function buildMarker(value: unknown, member: Member): unknown {
  if (Array.isArray(value) && value.some(isJsonObject)) {
    if (mergesById(value, member)) return asObjects(value).map((entry) => removedEntry(entry, member.of));
    return member.filled === true ? undefined : [];
  }
  if (!isJsonObject(value)) return removedLeaf(value, member);
  const leaves = removedMembers(value, member.of);
  return Object.keys(leaves).length === 0 ? undefined : leaves;
}

function removedEntry(entry: JsonObject, definition: string | undefined): JsonObject {
  return { id: entry['id'], ...removedMembers(entry, definition), ...('id' in entry ? { id: entry['id'] } : {}) };
}

function removedMembers(value: JsonObject, definition: string | undefined): JsonObject {
  const markers: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) {
    const marker = buildMarker(inner, schemaMember(definition, name));
    if (marker !== undefined) markers[name] = marker;
  }
  return markers;
}

/** A required member that may not be null is repeated: the release would be invalid without it (decision 0091). */
function removedLeaf(value: unknown, { nullable, required }: Member): unknown {
  if (nullable === true) return null;
  return required === true ? value : undefined;
}
