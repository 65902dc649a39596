import { z } from 'zod';
import { Envelope, subjectOf } from '@procurement/contracts/events/envelope';
import { eventTypes, type EventType } from '@procurement/contracts/events/event-types';

type Json = Readonly<Record<string, unknown>>;

/** What of an event type its docstring says is said in the code; here is what a reader of the bus needs. */
const SUMMARIES: Readonly<Record<keyof typeof eventTypes, string>> = {
  'tender.created': 'A tender came to be; carries all that siblings need to know of it',
  'tender.changed': 'A tender changed; carries all that siblings need to know of it',
  'tender.tendering-ended': 'Tendering is over: whoever keeps bids closes the tender and answers with bid.set-sealed',
  'tender.qualification-due': 'Nothing is left to be auctioned: bids are to be opened and the best of them awarded',
  'tender.cancelled': 'A tender was cancelled as a whole',
  'bid.registered': 'A bid was registered; never what it offers',
  'bid.changed': 'A bid was changed; never what it offers',
  'bid.withdrawn': 'A bid was withdrawn',
  'bid.set-sealed': 'A tender was closed: exactly these bids take part',
  'bid.results-applied': 'Bids have the values that they came out of an auction with; still sealed',
  'bid.opened': 'The bids of a tender were opened, with their final values',
  'award.changed':
    'Awards or contracts of a tender changed: an award was made, activated, cancelled, a contract signed',
  'document.changed': 'Public documents of a tender changed; carries every version of all',
  'auction.planned': 'An auction has its place in the plan',
  'auction.urls-published': 'Addresses of an auction were published; links of bidders are asked for',
  'auction.finished': 'The results of an auction are recorded; amounts are asked for',
  'broker.registered': 'A broker got a key',
  'broker.revoked': 'A key of a broker was revoked',
};

/**
 * The events of the system as an AsyncAPI 3 document: one channel a type, its payload the CloudEvents envelope around the
 * data, with the sample that tests hold against the schema. Kept as `asyncapi.json` beside this package; `npm run check`
 * compares.
 */
export function asyncApi(): Json {
  // The keys of a constant object are its type's keys.
  const names = Object.keys(eventTypes) as (keyof typeof eventTypes)[];
  const types = names.map((name): readonly [keyof typeof eventTypes, EventType] => [name, eventTypes[name]]);
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Public Procurement Tender Service: events',
      version: '1.0.0',
      description:
        'NATS JetStream, one stream per owner service. Every event follows its tender: its subject ends in the id of the tender ' +
        '(of the broker for broker.*). Schemas only grow by optional members; anything else is a new version beside the old.',
    },
    defaultContentType: 'application/json',
    channels: Object.fromEntries(types.map(([name, type]) => [idOf(name), channelOf(name, type)])),
    operations: Object.fromEntries(
      types.map(([name]) => [
        `publish-${idOf(name)}`,
        {
          action: 'send',
          channel: { $ref: `#/channels/${idOf(name)}` },
          summary: SUMMARIES[name],
          messages: [{ $ref: `#/channels/${idOf(name)}/messages/${idOf(name)}` }],
        },
      ]),
    ),
    components: { messages: Object.fromEntries(types.map(([name, type]) => [idOf(name), messageOf(name, type)])) },
  };
}

function idOf(name: string): string {
  return name.replaceAll('.', '-');
}

function channelOf(name: keyof typeof eventTypes, { stream }: EventType): Json {
  return {
    address: subjectOf(stream.name, name, '{subjectId}'),
    parameters: { subjectId: { description: 'Id of the tender, or of the broker' } },
    messages: { [idOf(name)]: { $ref: `#/components/messages/${idOf(name)}` } },
  };
}

function messageOf(name: keyof typeof eventTypes, { schema, data, stream, sample }: EventType): Json {
  const envelope = z.toJSONSchema(Envelope, { unrepresentable: 'any', io: 'input' });
  const payload = z.toJSONSchema(data, { unrepresentable: 'any', io: 'input', reused: 'inline', target: 'draft-7' });
  const { $schema: _envelopeVersion, properties, ...frame } = envelope;
  const { $schema: _dataVersion, ...shape } = payload;
  return {
    name: schema,
    title: SUMMARIES[name],
    payload: {
      ...frame,
      properties: { ...properties, type: { const: name }, dataschema: { const: schema }, data: shape },
    },
    examples: [{ name: 'sample', payload: envelopeOf(name, schema, stream.name, sample) }],
  };
}

function envelopeOf(type: string, dataschema: string, source: string, data: unknown): Json {
  return {
    specversion: '1.0',
    id: '00000000-0000-4000-8000-000000000000',
    source: `/${source}`,
    type,
    subject: '7e1b5c2f0a9d4e638b5f1c2d3e4f5a6b',
    time: '2026-05-18T10:15:00.200000+03:00',
    datacontenttype: 'application/json',
    dataschema,
    correlationid: 'req-00000000-0000-4000-8000-000000000000',
    causationid: 'req-00000000-0000-4000-8000-000000000000',
    sequence: 1,
    data,
  };
}
