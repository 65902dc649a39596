import { z } from 'zod';
import type { StoredPlan } from '../domain/auction-due.ts';
import { InstantColumn } from './instant-column.ts';

// Rows are untrusted input.
const Row = z.object({
  lotId: z.string(),
  day: z.string().nullable(),
  stream: z.int().nullable(),
  minute: z.coerce.number().int().nullable(),
  start: InstantColumn,
  confirmed: z.boolean(),
  isOverdue: z.boolean(),
});

/** Parses a row. Throws when it is invalid. */
export function readPlan(given: unknown): StoredPlan {
  const { lotId, day, stream, minute, start, confirmed, isOverdue } = Row.parse(given);
  const plan = { start, confirmed, isOverdue, ...(lotId === NO_LOT ? {} : { lotId }) };
  if (day === null || stream === null || minute === null) return plan;
  return { ...plan, slot: { day, stream, minute } };
}

/** "No lot" in the key, because a key column cannot be null. */
export const NO_LOT = '';
