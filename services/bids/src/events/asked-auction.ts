import { ask } from '@procurement/kit/ask';
import type { Bus } from '@procurement/kit/bus';
import { ConflictError } from '@procurement/kit/database';
import type { z } from 'zod';

/**
 * What the auction service answers. That it does not answer is no fault of the event that made us ask: the event is given
 * back and comes again, without being counted, until the service is there.
 */
export async function askedAuction<T>(bus: Bus, subject: string, question: unknown, schema: z.ZodType<T>): Promise<T> {
  const asked = await ask(bus, subject, question);
  if (asked.kind === 'unavailable' || asked.value === undefined) {
    throw new ConflictError(new Error(`${subject} is not answered`));
  }
  return schema.parse(asked.value);
}
