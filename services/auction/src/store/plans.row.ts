import type { Instant } from '@procurement/contracts/reading/instant';
import { z } from 'zod';
import type { StoredPlan } from '../domain/auction-due.ts';

// A row is untrusted input like any other.
const Row = z.object({
  lotId: z.string(),
  day: z.string().nullable(),
  stream: z.int().nullable(),
  minute: z.coerce.number().int().nullable(),
  startMicros: z.coerce.number().int(),
  confirmed: z.boolean(),
});

/** A plan from its row. Throws when the row is not one of ours. */
export function readPlan(given: unknown): StoredPlan {
  const { lotId, day, stream, minute, startMicros, confirmed } = Row.parse(given);
  // An integer, by the schema: whole microseconds since 1970 are what an Instant is.
  const plan = { start: startMicros as Instant, confirmed, ...(lotId === NO_LOT ? {} : { lotId }) };
  if (day === null || stream === null || minute === null) return plan;
  return { ...plan, slot: { day, stream, minute } };
}

/** Stands for "no lot" in the key, which cannot hold null. */
export const NO_LOT = '';
