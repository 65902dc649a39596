import { CloudEvent } from 'cloudevents';
import { describe, expect, it } from 'vitest';
import { Envelope } from '@procurement/contracts/events/envelope';
import { eventTypes, type EventType } from '@procurement/contracts/events/event-types';
import { makeOutbox } from '@procurement/kit/messaging/publish/outbox';
import { secureIds } from '@procurement/kit/runtime/ids';
import { asyncApi } from './document.ts';

const types: readonly (readonly [string, EventType])[] = Object.entries(eventTypes);

/** The envelope that a service stores and publishes. */
function publishedEnvelope(type: string, { schema, stream, sample }: EventType): Record<string, unknown> {
  const appliedAcks = { replySubjectFor: () => '', awaitApplied: async () => true };
  const outbox = makeOutbox({ stream: stream.name, ids: secureIds, appliedAcks, wake: () => undefined });
  const row = outbox.row({
    type,
    schema,
    subjectId: '7e1b5c2f0a9d4e638b5f1c2d3e4f5a6b',
    version: 3,
    time: '2026-05-18T10:15:00.200000+03:00',
    data: sample,
    correlationId: 'req-1',
  });
  return JSON.parse(row.envelope);
}

/** The example of the AsyncAPI document. */
function exampleEnvelope(type: string): Record<string, unknown> {
  // The document is JSON of any shape.
  const document: any = asyncApi();
  return document.components.messages[type.replaceAll('.', '-')].examples[0].payload;
}

describe.each(types)('%s by the CloudEvents SDK', (type, eventType) => {
  it.each([
    ['the envelope of the outbox', publishedEnvelope(type, eventType)],
    ['the example of the AsyncAPI document', exampleEnvelope(type)],
  ])('%s is valid', (_what, envelope) => {
    // The constructor validates, and throws with the reasons.
    const event = new CloudEvent(envelope);
    expect(event.validate()).toBe(true);
    expect(event.dataschema).toBe(`urn:procurement:event:${type}:1`);
    expect(Envelope.parse(JSON.parse(JSON.stringify(envelope)))).toMatchObject({ type, dataschema: event.dataschema });
  });

  it('has attributes of the types of CloudEvents, with names of at most 20 letters and digits', () => {
    const { data: _data, ...attributes } = publishedEnvelope(type, eventType);
    for (const [name, value] of Object.entries(attributes)) {
      expect(name).toMatch(/^[a-z0-9]{1,20}$/);
      expect(typeof value === 'string' || (Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 31), name).toBe(
        true,
      );
    }
  });
});

describe('the CloudEvents SDK', () => {
  it('refuses a dataschema that is not an absolute URI', () => {
    const envelope = { ...exampleEnvelope('tender.changed'), dataschema: 'tender.changed/1' };
    expect(() => new CloudEvent(envelope)).toThrow('dataschema');
  });
});
