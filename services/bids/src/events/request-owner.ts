import { sendRequest } from '@procurement/kit/messaging/request/request';
import type { Bus } from '@procurement/kit/messaging/bus';
import { ConflictError } from '@procurement/kit/database/transaction';
import type { z } from 'zod';

/**
 * The reply of the service that owns the requested facts. Throws ConflictError when it does not reply: the event is redelivered
 * until it does, and the attempt does not count towards the dead letter.
 */
export async function requestOwner<T>(bus: Bus, subject: string, payload: unknown, schema: z.ZodType<T>): Promise<T> {
  const response = await sendRequest(bus, subject, payload);
  if (response.kind === 'unavailable' || response.value === undefined) {
    throw new ConflictError(new Error(`no reply on ${subject}`));
  }
  return schema.parse(response.value);
}
