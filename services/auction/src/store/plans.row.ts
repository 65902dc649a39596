import type { Instant } from '@procurement/contracts/reading/instant';
import { z } from 'zod';
import type { StoredPlan } from '../domain/auction-due.ts';

// Rows are untrusted input.
const Row = z.object({
  lotId: z.string(),
  day: z.string().nullable(),
  stream: z.int().nullable(),
  minute: z.coerce.number().int().nullable(),
  startMicros: z.coerce.number().int(),
  confirmed: z.boolean(),
  isOverdue: z.boolean(),
});

/** Parses a row. Throws when it is invalid. */
export function readPlan(given: unknown): StoredPlan {
  const { lotId, day, stream, minute, startMicros, confirmed, isOverdue } = Row.parse(given);
  // The schema has checked that it is an integer; an Instant is whole microseconds since 1970.
  const plan = { start: startMicros as Instant, confirmed, isOverdue, ...(lotId === NO_LOT ? {} : { lotId }) };
  if (day === null || stream === null || minute === null) return plan;
  return { ...plan, slot: { day, stream, minute } };
}

/** "No lot" in the key, because a key column cannot be null. */
export const NO_LOT = '';
