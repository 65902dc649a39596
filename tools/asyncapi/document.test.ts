import { describe, expect, it } from 'vitest';
import { asyncApi } from './document.ts';
import { Envelope } from '@procurement/contracts/events/envelope';
import { eventTypes } from '@procurement/contracts/events/event-types';

// A document is JSON of any shape.
const document: any = asyncApi();

describe('the AsyncAPI document', () => {
  it('has a channel, an operation and a message for every type of event, and no other', () => {
    const ids = Object.keys(eventTypes).map((name) => name.replaceAll('.', '-'));
    expect(Object.keys(document.channels)).toEqual(ids);
    expect(Object.keys(document.components.messages)).toEqual(ids);
    expect(Object.keys(document.operations)).toEqual(ids.map((id) => `publish-${id}`));
  });

  it.each(Object.entries(eventTypes))('%s: its example is an envelope around a sample of its shape', (name, type) => {
    const { examples, payload } = document.components.messages[name.replaceAll('.', '-')];
    const envelope = Envelope.parse(examples[0].payload);
    expect([envelope.type, envelope.dataschema]).toEqual([name, type.schema]);
    expect(type.data.parse(envelope.data)).toEqual(type.sample);
    expect(payload.properties.dataschema).toEqual({ const: type.schema });
  });

  it('names the subject on which each is published', () => {
    expect(document.channels['bid-set-sealed'].address).toBe('bids.bid-set-sealed.{subjectId}');
  });
});
