import { isJsonObject, type JsonObject } from '@procurement/contracts/reading/json-object';
import { schemaMember, mergesById } from '../src/merge.ts';
import type { Member } from '../src/schema-member.ts';
import { asObjects } from '../src/values.ts';

/**
 * Where a compiled release differs from the last snapshot by more than what merging leaves of removed members: ids of removed
 * entries, empty objects, and leaves that may not be null (ocds.md 1.5, 1.6).
 */
export function differences(
  compiled: unknown,
  snapshot: unknown,
  member: Member = { of: 'Release' },
  path = '',
): readonly string[] {
  if (isJsonObject(compiled) && isJsonObject(snapshot)) return memberDifferences(compiled, snapshot, member.of, path);
  if (Array.isArray(compiled) && Array.isArray(snapshot) && mergesById(snapshot, member)) {
    return entryDifferences(asObjects(compiled), asObjects(snapshot), member.of, path);
  }
  return JSON.stringify(compiled) === JSON.stringify(snapshot) ? [] : [path];
}

function memberDifferences(
  compiled: JsonObject,
  snapshot: JsonObject,
  of: string | undefined,
  path: string,
): readonly string[] {
  const names = [...new Set([...Object.keys(compiled), ...Object.keys(snapshot)])];
  return names.flatMap((name) => {
    const [member, at] = [schemaMember(of, name), `${path}/${name}`];
    if (name in snapshot) return differences(compiled[name], snapshot[name], member, at);
    return isSkeleton(compiled[name], member) ? [] : [`${at} was removed`];
  });
}

function entryDifferences(
  compiled: readonly JsonObject[],
  snapshot: readonly JsonObject[],
  of: string | undefined,
  path: string,
): readonly string[] {
  const present = new Map(snapshot.map((entry) => [entry['id'], entry]));
  const merged = new Set(compiled.map(({ id }) => id));
  return [
    ...compiled.flatMap((entry) => {
      const at = `${path}/${String(entry['id'])}`;
      const current = present.get(entry['id']);
      if (current !== undefined) return memberDifferences(entry, current, of, at);
      return isSkeleton(entry, of === undefined ? {} : { of }) ? [] : [`${at} was removed`];
    }),
    ...snapshot.filter(({ id }) => !merged.has(id)).map(({ id }) => `${path}/${String(id)} is missing`),
  ];
}

function isSkeleton(value: unknown, member: Member): boolean {
  if (member.filled === true) return true;
  if (Array.isArray(value)) return value.every((entry) => isJsonObject(entry) && isSkeleton(entry, { ...member }));
  if (!isJsonObject(value)) return member.nullable !== true;
  return Object.entries(value).every(
    ([name, inner]) => name === 'id' || isSkeleton(inner, schemaMember(member.of, name)),
  );
}
