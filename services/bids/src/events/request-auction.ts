import { sendRequest } from '@procurement/kit/messaging/request';
import type { Bus } from '@procurement/kit/messaging/bus';
import { ConflictError } from '@procurement/kit/database/transaction';
import type { z } from 'zod';

/**
 * What the auction service answers. That it does not answer is no fault of the event that made us ask: the event is given
 * back and comes again, without being counted, until the service is there.
 */
export async function requestAuction<T>(bus: Bus, subject: string, payload: unknown, schema: z.ZodType<T>): Promise<T> {
  const response = await sendRequest(bus, subject, payload);
  if (response.kind === 'unavailable' || response.value === undefined) {
    throw new ConflictError(new Error(`${subject} is not answered`));
  }
  return schema.parse(response.value);
}
