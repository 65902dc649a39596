import { z } from 'zod';

/** CloudEvents 1.0 with our extensions: how every event travels and is stored (architecture.md, "Envelope"). */
export const Envelope = z.object({
  specversion: z.literal('1.0'),
  id: z.uuid(),
  source: z.string(),
  type: z.string(),
  /** Id of the tender that the event belongs to, or of the broker. */
  subject: z.string(),
  time: z.string(),
  datacontenttype: z.literal('application/json'),
  /** Type and version of the shape of `data`: `tender.changed/1`. */
  dataschema: z.string(),
  /** The request that began it. */
  correlationid: z.string(),
  /** The event or request that directly caused it. */
  causationid: z.string(),
  /** Version of the aggregate after this event: older ones never overwrite newer. */
  sequence: z.int().nonnegative(),
  data: z.unknown(),
});
export type Envelope = z.infer<typeof Envelope>;

/** The subject of one event: `tender.changed` of tender 5d.. in the stream `tenders` is `tenders.tender-changed.5d..`. */
export function subjectOf(stream: string, type: string, subjectId: string): string {
  return `${stream}.${type.replaceAll('.', '-')}.${subjectId}`;
}
