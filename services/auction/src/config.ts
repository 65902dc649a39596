import { readConfig, serviceShape } from '@procurement/kit/runtime/config';
import { z } from 'zod';

/** `11:00` as minutes since midnight. */
const minuteOfDay = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'a time of day such as 11:00')
  .transform((text) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3)));

/** Every setting of this service. The only reader of the environment is `main.ts`. */
export const configShape = {
  ...serviceShape,
  PORT: serviceShape.PORT.default(8085),
  AUCTION_DAY_START: minuteOfDay
    .prefault('11:00')
    .describe('Local time at which the first auctions of a day begin (tenders.md 9.3)'),
  AUCTION_DAY_END: minuteOfDay.prefault('16:00').describe('Local time from which no half hour begins any more'),
  AUCTION_STREAMS: z.coerce.number().int().min(1).max(1_000).default(10).describe('Auctions at a time, in each plan'),
  AUCTION_RANDOM_SECONDS: z.coerce
    .number()
    .int()
    .min(0)
    .max(1_799)
    .default(1_799)
    .describe('An auction begins up to so many seconds after its half hour does'),
  AUCTION_QUICK_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .optional()
    .describe('Sandbox: quick auctions begin exactly so long after tendering ends; 60 suits test beds (2.10)'),
  LEGACY_GUARDS: z
    .enum(['open', 'strict'])
    .optional()
    .describe('Status guards of segments 2.3, 0 and 0.1 (rulings R3); default open in sandbox mode, strict otherwise'),
  AUCTION_RECORD_PUBLIC: z
    .enum(['masked', 'full'])
    .optional()
    .describe('What others than the auction see of its record in those segments (R4); default full in sandbox mode'),
  AUCTIONS_URL: z
    .url()
    .optional()
    .describe('Sandbox: front of the auctions that fast-forward only pretends to hold; default PUBLIC_BASE_URL'),
  CALENDAR_FILE: z
    .string()
    .optional()
    .describe('Path of a JSON file {"daysOff": ["2026-01-01"], "workdays": []}; without it only weekends are off'),
} as const;

export type Config = ReturnType<typeof config>;

/** Reads the settings; throws one error that names every bad variable, or a day on which no auction could begin. */
export function config(env: Readonly<Record<string, string | undefined>>) {
  const read = readConfig(configShape, env);
  // Planning would look for a free half hour for ever.
  if (read.AUCTION_DAY_START >= read.AUCTION_DAY_END) {
    throw new Error('The configuration is not usable:\n  AUCTION_DAY_END: must be later than AUCTION_DAY_START');
  }
  return read;
}
