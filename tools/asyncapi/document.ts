import { z } from 'zod';
import { DataReference, dataSchemaUri, PublishedEnvelope, eventSubject } from '@procurement/contracts/events/envelope';
import { eventTypes, type EventType } from '@procurement/contracts/events/event-types';
import { signalSubjects } from '@procurement/contracts/events/subjects';

type Json = Readonly<Record<string, unknown>>;

/** One line per event type, for readers of the document. Details are in the docstrings of packages/contracts/src/events. */
const SUMMARIES: Readonly<Record<keyof typeof eventTypes, string>> = {
  'tender.created': 'A tender was created that is no draft; carries all facts that other services need',
  'tender.changed': 'Facts of a tender that other services need changed, or a draft was published; carries all of them',
  'tender.tendering-ended': 'The tendering period ended: bids closes the tender and publishes bid.set-sealed',
  'tender.qualification-due': 'No auction is left to run: bids opens the bids, and awards creates the first awards',
  'tender.cancelled': 'A tender was cancelled as a whole',
  'bid.registered': 'A bid was registered; without its offer',
  'bid.changed': 'A bid was changed; without its offer',
  'bid.withdrawn': 'A bid was withdrawn',
  'bid.set-sealed': 'A tender was closed: exactly these bids participate',
  'bid.set-erased': 'The unopened bids of a cancelled tender were erased',
  'bid.results-applied': 'The values of an auction were stored in the bids, which stay sealed',
  'bid.opened': 'The bids of a tender were opened, with their final values',
  'award.changed':
    'Awards or contracts of a tender changed: an award was created, activated or cancelled, a contract signed',
  'document.changed': 'Public documents of a tender changed; carries every version of all of them',
  'auction.planned': 'The start of an auction was planned',
  'auction.urls-published': 'Addresses of an auction were published; links of bidders are available by request',
  'auction.finished': 'The results of an auction are recorded; amounts are available by request',
  'broker.registered': 'A key of a broker was added',
  'broker.revoked': 'A key of a broker was revoked',
};

/** The same for signals. */
const SIGNALS: Readonly<Record<keyof typeof signalSubjects, string>> = {
  tendersPublished:
    'The publication log of tenders may have grown: ask ask.tenders.publications after the own position',
  registerApplied: 'The register has applied publications: read them from its database',
  registerRedacted: 'The register has removed a member of public texts by law: ask ask.register.redactions',
  webhookChanged:
    'A webhook was created, changed, redelivered or deleted: read them again from the database of the register',
};

/**
 * The events of the system as an AsyncAPI 3.1 document: one channel per event type, whose payload is the CloudEvents envelope
 * around the data, with the type's sample. Written to packages/contracts/asyncapi.json; `npm run check` compares.
 */
export function asyncApi(): Json {
  // Safe cast: a constant object has exactly the keys of its type.
  const names = Object.keys(eventTypes) as (keyof typeof eventTypes)[];
  const signals = Object.keys(signalSubjects) as (keyof typeof signalSubjects)[];
  const types = names.map((name): readonly [keyof typeof eventTypes, EventType] => [name, eventTypes[name]]);
  return {
    asyncapi: '3.1.0',
    info: {
      title: 'Public Procurement Tender Service: events',
      version: '1.0.0',
      description:
        'NATS JetStream, one stream per owner service. The subject of an event ends in the id of its tender (for broker.* in the ' +
        'name of the broker). Schemas grow by optional members only; any other change is a new version beside the old. An event ' +
        'that is larger than a message has dataref, datasize and datasha256 instead of data. The data is requested by core NATS ' +
        'at ask.<stream>.event-data with {"id": <id of the event>, "from": <byte>}, until datasize bytes have come; the ' +
        'response is {"found": <the next bytes in base64>}, without found when the publisher does not have them. A signal is an ' +
        'empty message of core NATS that wakes readers. It is not stored and may be lost: readers ask by themselves as well.',
    },
    defaultContentType: 'application/cloudevents+json',
    channels: Object.fromEntries([
      ...types.map(([name, type]) => [formatId(name), buildChannel(name, type)]),
      ...signals.map((name) => [signalId(name), signalChannel(name)]),
    ]),
    operations: Object.fromEntries([
      ...types.map(([name]) => [`publish-${formatId(name)}`, buildOperation(formatId(name), SUMMARIES[name])]),
      ...signals.map((name) => [`publish-${signalId(name)}`, buildOperation(signalId(name), SIGNALS[name])]),
    ]),
    components: {
      messages: Object.fromEntries([
        ...types.map(([name, type]) => [formatId(name), buildMessage(name, type)]),
        ...signals.map((name) => [signalId(name), signalMessage(name)]),
      ]),
    },
  };
}

function buildOperation(id: string, summary: string): Json {
  return {
    action: 'send',
    channel: { $ref: `#/channels/${id}` },
    summary,
    messages: [{ $ref: `#/channels/${id}/messages/${id}` }],
  };
}

function signalId(name: keyof typeof signalSubjects): string {
  return formatId(signalSubjects[name]);
}

function signalChannel(name: keyof typeof signalSubjects): Json {
  const id = signalId(name);
  return { address: signalSubjects[name], messages: { [id]: { $ref: `#/components/messages/${id}` } } };
}

/** Readers ignore the content. */
function signalMessage(name: keyof typeof signalSubjects): Json {
  return {
    name: signalSubjects[name],
    title: SIGNALS[name],
    contentType: 'application/octet-stream',
    payload: { type: 'string', maxLength: 0 },
  };
}

function formatId(name: string): string {
  return name.replaceAll('.', '-');
}

function buildChannel(name: keyof typeof eventTypes, { stream }: EventType): Json {
  return {
    address: eventSubject(stream.name, name, '{subjectId}'),
    parameters: { subjectId: { description: 'Id of the tender, or name of the broker' } },
    messages: { [formatId(name)]: { $ref: `#/components/messages/${formatId(name)}` } },
  };
}

function buildMessage(name: keyof typeof eventTypes, { schema, data, stream, sample }: EventType): Json {
  const envelope = z.toJSONSchema(PublishedEnvelope, { unrepresentable: 'any', io: 'input' });
  const payload = z.toJSONSchema(data, { unrepresentable: 'any', io: 'input', reused: 'inline', target: 'draft-7' });
  const { $schema: _envelopeVersion, properties, required = [], ...frame } = envelope;
  const { $schema: _dataVersion, ...shape } = payload;
  const reference = z.toJSONSchema(DataReference, { io: 'input' });
  return {
    name: schema,
    title: SUMMARIES[name],
    payload: {
      ...frame,
      required: required.filter((member) => member !== 'data'),
      properties: {
        ...properties,
        type: { const: name },
        dataschema: { const: dataSchemaUri(schema) },
        data: shape,
        ...reference.properties,
      },
      // Either the data, or the reference to data that are too large for a message.
      oneOf: [{ required: ['data'] }, { required: Object.keys(DataReference.shape) }],
    },
    examples: [{ name: 'sample', payload: buildEnvelope(name, dataSchemaUri(schema), stream.name, sample) }],
  };
}

function buildEnvelope(type: string, dataschema: string, source: string, data: unknown): PublishedEnvelope {
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
    aggregateversion: 1,
    data,
  };
}
