import { z } from 'zod';

/** The published and stored form of every event: CloudEvents 1.0 with extensions (architecture.md, "Envelope"). */
export const Envelope = z.object({
  specversion: z.literal('1.0'),
  id: z.uuid(),
  source: z.string(),
  type: z.string(),
  /** Id of the tender to which the event belongs, or name of the broker. */
  subject: z.string(),
  time: z.string(),
  datacontenttype: z.literal('application/json'),
  /** Type and version of the schema of `data`: `tender.changed/1`. */
  dataschema: z.string(),
  /** Id of the request that started the chain of events. */
  correlationid: z.string(),
  /** Id of the event or request that directly caused this event. */
  causationid: z.string(),
  /** Version of the aggregate after this event. An older version never overwrites a newer one. */
  sequence: z.int().nonnegative(),
  data: z.unknown(),
});
export type Envelope = z.infer<typeof Envelope>;

/** NATS subject of an event: `tender.changed` of tender 5d.. in the stream `tenders` is `tenders.tender-changed.5d..`. */
export function subjectOf(stream: string, type: string, subjectId: string): string {
  return `${stream}.${type.replaceAll('.', '-')}.${subjectId}`;
}
