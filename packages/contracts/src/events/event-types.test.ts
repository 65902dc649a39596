import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventSubject } from './envelope.ts';
import { eventTypes, type EventType } from './event-types.ts';
import { streams } from './subjects.ts';

const allEventTypes: readonly (readonly [string, EventType])[] = Object.entries(eventTypes);

/** Names of all members at any depth. */
function memberNamesOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...memberNamesOf(inner)]);
}

describe('eventTypes', () => {
  it.each(allEventTypes)(
    '%s has a sample that its schema accepts without unknown members',
    (_type, { data, sample }) => {
      expect(data.parse(sample)).toEqual(sample);
    },
  );

  it.each(allEventTypes)(
    '%s names its version, and its subject belongs to the stream of its owner',
    (type, { schema, stream }) => {
      expect(schema).toMatch(new RegExp(`^${type.replaceAll('.', '\\.')}/[1-9]$`));
      const [prefix] = stream.subjects;
      expect(eventSubject(stream.name, type, 'some-id').startsWith(prefix.replace('>', ''))).toBe(true);
    },
  );

  it('contain every declared type', () => {
    const declared = readdirSync(import.meta.dirname)
      .filter((name) => name.endsWith('.events.ts'))
      .flatMap((name) => [
        ...readFileSync(join(import.meta.dirname, name), 'utf8').matchAll(/'([a-z.-]+)': \{ schema/g),
      ])
      .map(([, type]) => type);
    expect(declared.sort()).toEqual(allEventTypes.map(([type]) => type).sort());
  });

  it('never carry the offer of a sealed bid, a token or a key', () => {
    const publicMembers = ['id', 'tenderId', 'version', 'status', 'owner', 'ownerTokenHash', 'lots'];
    expect(Object.keys(eventTypes['bid.registered'].data.shape)).toEqual(publicMembers);
    for (const [, { sample }] of allEventTypes)
      expect(memberNamesOf(sample).filter((name) => /^(token|key|acc_token)$/i.test(name))).toEqual([]);
  });

  it('belong to streams whose subjects do not overlap', () => {
    const subjects = Object.values(streams).flatMap((stream) => [...stream.subjects]);
    expect(new Set(subjects).size).toBe(subjects.length);
  });
});
