import { describe, expect, it } from 'vitest';
import { Envelope } from './envelope.ts';

const event: Envelope = {
  specversion: '1.0',
  id: '00000000-0000-4000-8000-000000000001',
  source: '/tenders',
  type: 'tender.changed',
  subject: '7e1b5c2f0a9d4e638b5f1c2d3e4f5a6b',
  time: '2026-05-04T10:15:00+03:00',
  datacontenttype: 'application/json',
  dataschema: 'urn:procurement:event:tender.changed:1',
  correlationid: 'req-1',
  causationid: 'req-1',
  aggregateversion: 3,
  data: { id: '7e1b5c2f0a9d4e638b5f1c2d3e4f5a6b', version: 3 },
};
const { data: _data, ...withoutData } = event;

describe('Envelope', () => {
  it('leaves out extensions that it does not know', () => {
    expect(Envelope.parse({ ...event, partitionkey: 'x' })).toEqual(event);
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
    ['with a version that is no number', { ...event, aggregateversion: 'three' }],
    ['with a negative version', { ...event, aggregateversion: -1 }],
    ['of another CloudEvents version', { ...event, specversion: '0.3' }],
  ])('refuses what is no event: %s', (_case, message) => {
    expect(Envelope.safeParse(message).success).toBe(false);
  });
});
