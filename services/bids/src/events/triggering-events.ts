import type { Envelope } from '@procurement/contracts/events/envelope';
import type { z } from 'zod';
import type { TriggeringEvent } from '../store/bidding.store.ts';

/** The calls of one type among events, each read by its schema, with what it says. Other types are passed over. */
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
