import type { Instant } from '@procurement/contracts/reading/instant';
import { z } from 'zod';

/** A bigint column with an instant. After the year 2255 it is no safe integer, which `z.int` would refuse. */
export const InstantColumn = z.coerce
  .number()
  .refine(Number.isInteger)
  // An Instant is whole microseconds since 1970.
  .transform((micros) => micros as Instant);
