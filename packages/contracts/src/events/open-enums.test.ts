import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { eventTypes, type EventType } from './event-types.ts';
import { OPEN_ENUMS } from './open-enums.ts';

const types: readonly (readonly [string, EventType])[] = Object.entries(eventTypes);
const FUTURE_VALUE = 'value.of.a.later.release';
const knownValues: ReadonlySet<unknown> = new Set(Object.values(OPEN_ENUMS).flatMap(({ values }) => [...values]));
const OPEN_MEMBERS: ReadonlySet<string> = new Set(['status', 'kind', 'featureOf', 'type']);

/** The event as a later release may publish it: each object has one more member, each open value is a new one. */
function later(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(later);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [
    name,
    OPEN_MEMBERS.has(name) && knownValues.has(member) ? FUTURE_VALUE : later(member),
  ]);
  return { ...Object.fromEntries(members), memberOfALaterRelease: { any: 1 } };
}

/** Whether a JSON schema has a list of values that cannot grow. */
function closedLists(schema: unknown): readonly unknown[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([name, part]) =>
    name === 'enum' && Array.isArray(part) ? [part] : closedLists(part),
  );
}

describe.each(types)('the schema of %s', (_type, { data, sample }) => {
  it('has no closed list of values: every value of OPEN_ENUMS may be joined by others', () => {
    expect(closedLists(z.toJSONSchema(data, { unrepresentable: 'any', io: 'input' }))).toEqual([]);
  });

  it('accepts unknown members and values of a later release', () => {
    expect(data.safeParse(later(sample)).error).toBeUndefined();
  });
});

describe.each(['award.changed', 'document.changed'] as const)('%s', (type) => {
  it('keeps every unknown member when it is parsed, because tenders stores what was parsed', () => {
    const { data, sample } = eventTypes[type];
    const sent = later(sample);
    expect(data.parse(sent)).toEqual(sent);
  });
});
