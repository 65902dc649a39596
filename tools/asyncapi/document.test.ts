import { describe, expect, it } from 'vitest';
import { asyncApi } from './document.ts';
import { dataSchemaUri, PublishedEnvelope } from '@procurement/contracts/events/envelope';
import { eventTypes } from '@procurement/contracts/events/event-types';
import { signalSubjects } from '@procurement/contracts/events/subjects';

// The document is JSON of any shape.
const document: any = asyncApi();

describe('asyncApi', () => {
  it('has one channel, operation and message per event type and signal, and no others', () => {
    const names = [...Object.keys(eventTypes), ...Object.values(signalSubjects)];
    const ids = names.map((name) => name.replaceAll('.', '-'));
    expect(Object.keys(document.channels)).toEqual(ids);
    expect(Object.keys(document.components.messages)).toEqual(ids);
    expect(Object.keys(document.operations)).toEqual(ids.map((id) => `publish-${id}`));
  });

  it.each(Object.entries(eventTypes))(
    '%s: the example is a valid envelope with the sample as its data',
    (name, type) => {
      const { examples, payload } = document.components.messages[name.replaceAll('.', '-')];
      const envelope = PublishedEnvelope.parse(examples[0].payload);
      expect([envelope.type, envelope.dataschema]).toEqual([name, dataSchemaUri(type.schema)]);
      expect(type.data.parse(envelope.data)).toEqual(type.sample);
      expect(payload.properties.dataschema).toEqual({ const: dataSchemaUri(type.schema) });
    },
  );

  it('is AsyncAPI 3.1, and names the content type that the relay sends', () => {
    expect([document.asyncapi, document.defaultContentType]).toEqual(['3.1.0', 'application/cloudevents+json']);
  });

  it('has the NATS subject as the address of a channel', () => {
    expect(document.channels['bid-set-sealed'].address).toBe('bids.bid-set-sealed.{subjectId}');
    expect(document.channels['signal-tenders-published'].address).toBe('signal.tenders.published');
  });
});
