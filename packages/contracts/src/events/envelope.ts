import { z } from 'zod';

const attributes = {
  specversion: z.literal('1.0'),
  id: z.uuid(),
  source: z.string(),
  type: z.string(),
  /** Id of the tender to which the event belongs, or name of the broker. */
  subject: z.string(),
  time: z.string(),
  datacontenttype: z.literal('application/json'),
  /** Absolute URI of the schema of `data` and its version (`dataSchemaUri`). */
  dataschema: z.string(),
  /** Id of the request that started the chain of events. */
  correlationid: z.string(),
  /** Id of the event or request that directly caused this event. */
  causationid: z.string(),
  /** Version of the aggregate after this event. An older version never overwrites a newer one. */
  aggregateversion: z.int().nonnegative(),
  /** W3C trace context of the publisher (CloudEvents extension "Distributed Tracing"). Absent in events that a repair makes of facts. */
  traceparent: z.string().optional(),
  tracestate: z.string().optional(),
  data: z.unknown(),
};

/** Members of an event whose `data` is too large for a message (docs/decisions/0057-size-of-events-and-streams.md). */
const reference = {
  /** Names the data (CloudEvents extension "Dataref"): `formatDataRef`. It is requested at `eventDataSubject` of the publisher. */
  dataref: z.string(),
  /** Bytes of the data as JSON text in UTF-8. */
  datasize: z.int().nonnegative(),
  /** SHA-256 of these bytes, in hexadecimal digits. */
  datasha256: z.string().regex(/^[0-9a-f]{64}$/),
};

/**
 * An event as the outbox stores it: CloudEvents 1.0 with extensions (architecture.md, "Envelope"). `dataschema` is a URN, because it identifies a
 * schema on every installation and is no address. The version of the aggregate is an extension of our own: `sequence` of CloudEvents orders the
 * events of a source.
 */
export const PublishedEnvelope = z.object(attributes);
export type PublishedEnvelope = z.infer<typeof PublishedEnvelope>;

/** An event as consumers see it. An event with `dataref` has no `data`. */
export const Envelope = z
  .object({ ...attributes, data: attributes.data.optional(), ...z.object(reference).partial().shape })
  .refine((event) => 'data' in event || event.dataref !== undefined);
export type Envelope = z.infer<typeof Envelope>;

/** The members that replace `data` in an event whose data is requested from its publisher. */
export const DataReference = z.object(reference);
export type DataReference = z.infer<typeof DataReference>;

/** URI of an event type and version: `tender.changed/1` is `urn:procurement:event:tender.changed:1`. It identifies only. */
export function dataSchemaUri(schema: string): string {
  return `urn:procurement:event:${schema.replace('/', ':')}`;
}

/** Value of `dataref`. It identifies only. */
export function formatDataRef(id: string): string {
  return `urn:procurement:event-data:${id}`;
}

/** NATS subject of an event: `tender.changed` of tender 5d.. in the stream `tenders` is `tenders.tender-changed.5d..`. */
export function eventSubject(stream: string, type: string, subjectId: string): string {
  return `${stream}.${type.replaceAll('.', '-')}.${subjectId}`;
}
