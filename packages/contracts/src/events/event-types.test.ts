import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { subjectOf } from './envelope.ts';
import { eventTypes, type EventType } from './event-types.ts';
import { retiredEventTypes } from './retired-event-types.ts';
import { streams } from './subjects.ts';

const allEventTypes: readonly (readonly [string, EventType])[] = Object.entries(eventTypes);

/** All names of members, however deep. */
function memberNamesOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...memberNamesOf(inner)]);
}

describe('the types of events', () => {
  it.each(allEventTypes)(
    '%s has a sample of its shape, with nothing that the shape does not know',
    (_type, { data, sample }) => {
      expect(data.parse(sample)).toEqual(sample);
    },
  );

  it.each(allEventTypes)(
    '%s names its version, and its subject lies in the stream of its owner',
    (type, { schema, stream }) => {
      expect(schema).toMatch(new RegExp(`^${type.replaceAll('.', '\\.')}/[1-9]$`));
      const [prefix] = stream.subjects;
      expect(subjectOf(stream.name, type, 'some-id').startsWith(prefix.replace('>', ''))).toBe(true);
    },
  );

  it('are all that the files beside declare, and none is one that was retired', () => {
    const declared = readdirSync(import.meta.dirname)
      .filter((name) => name.endsWith('.events.ts'))
      .flatMap((name) => [
        ...readFileSync(join(import.meta.dirname, name), 'utf8').matchAll(/'([a-z.-]+)': \{ schema/g),
      ])
      .map(([, type]) => type);
    expect(declared.sort()).toEqual(allEventTypes.map(([type]) => type).sort());
    expect(allEventTypes.filter(([type]) => retiredEventTypes.includes(type))).toEqual([]);
  });

  it('never tell what a sealed bid offers, nor a token or key itself', () => {
    const told = ['id', 'tenderId', 'version', 'status', 'owner', 'ownerTokenHash', 'lots'];
    expect(Object.keys(eventTypes['bid.registered'].data.shape)).toEqual(told);
    for (const [, { sample }] of allEventTypes)
      expect(memberNamesOf(sample).filter((name) => /^(token|key|acc_token)$/i.test(name))).toEqual([]);
  });

  it('travel in streams whose subjects do not overlap', () => {
    const subjects = Object.values(streams).flatMap((stream) => [...stream.subjects]);
    expect(new Set(subjects).size).toBe(subjects.length);
  });
});
