import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Envelope, PublishedEnvelope } from './envelope.ts';

/** The schema by which builds before docs/decisions/0046-cloudevents.md read events. A copy: it must not change. */
const EarlierEnvelope = z.object({
  specversion: z.literal('1.0'),
  id: z.uuid(),
  source: z.string(),
  type: z.string(),
  subject: z.string(),
  time: z.string(),
  datacontenttype: z.literal('application/json'),
  dataschema: z.string(),
  correlationid: z.string(),
  causationid: z.string(),
  sequence: z.int().nonnegative(),
  data: z.unknown(),
});

const frame = {
  specversion: '1.0' as const,
  id: '00000000-0000-4000-8000-000000000001',
  source: '/tenders',
  type: 'tender.changed',
  subject: '7e1b5c2f0a9d4e638b5f1c2d3e4f5a6b',
  time: '2026-05-04T10:15:00+03:00',
  datacontenttype: 'application/json' as const,
  correlationid: 'req-1',
  causationid: 'req-1',
  data: { id: '7e1b5c2f0a9d4e638b5f1c2d3e4f5a6b', version: 3 },
};
const earlier = { ...frame, dataschema: 'tender.changed/1', sequence: 3 };
const published: PublishedEnvelope = {
  ...frame,
  dataschema: 'urn:procurement:event:tender.changed:1',
  aggregateversion: 3,
  sequence: 3,
};
const { sequence: _sequence, ...event } = published;
const { data: _data, ...withoutData } = event;

describe('Envelope', () => {
  it.each([
    ['of this release', published],
    ['of an earlier build', earlier],
    ['with the version as a decimal string', { ...earlier, sequence: '3' }],
    ['of a later release, without `sequence`', event],
    ['of a later release, with another meaning of `sequence`', { ...published, sequence: '0000000042' }],
    ['with extensions that this release does not have', { ...published, partitionkey: 'x' }],
  ])('reads an event %s', (_case, message) => {
    expect(Envelope.parse(message)).toEqual(event);
  });

  it('reads an event with a reference instead of data', () => {
    const reference = { dataref: 'urn:procurement:event-data:1', datasize: 9_000_000, datasha256: 'a'.repeat(64) };
    expect(Envelope.parse({ ...withoutData, ...reference })).toEqual({ ...withoutData, ...reference });
  });

  it.each([
    ['without data or reference', withoutData],
    ['null', null],
    ['text', 'event'],
    ['without a version', { ...event, aggregateversion: undefined }],
    ['with a version that is no number', { ...earlier, sequence: 'three' }],
    ['with a negative version', { ...published, aggregateversion: -1 }],
    ['of another CloudEvents version', { ...published, specversion: '0.3' }],
  ])('refuses what is no event: %s', (_case, message) => {
    expect(Envelope.safeParse(message).success).toBe(false);
  });
});

describe('PublishedEnvelope', () => {
  it('is read by consumers of earlier builds', () => {
    expect(EarlierEnvelope.parse(PublishedEnvelope.parse(published))).toEqual({
      ...earlier,
      dataschema: published.dataschema,
    });
  });
});
