import type { Envelope } from '@procurement/contracts/events/envelope';
import type { z } from 'zod';
import type { TriggeringEvent } from '../store/bidding.store.ts';

/** The events of one type, each with its data read by the schema. Other types are left out. */
export function triggeringEvents<D extends { readonly id: string }>(
  events: readonly Envelope[],
  type: string,
  schema: z.ZodType<D>,
): readonly (TriggeringEvent & { readonly data: D })[] {
  return events
    .filter((event) => event.type === type)
    .map((event) => {
      const data = schema.parse(event.data);
      return { tenderId: data.id, time: event.time, correlationId: event.correlationid, data };
    });
}
