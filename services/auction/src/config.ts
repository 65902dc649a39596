import { ConfigError, readConfig, serviceShape } from '@procurement/kit/runtime/config';
import { z } from 'zod';

/** `11:00` as minutes since midnight. */
const minuteOfDay = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'a time of day such as 11:00')
  .transform((text) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3)));

/** All settings of this service. Only `main.ts` reads the environment. */
export const configShape = {
  ...serviceShape,
  PORT: serviceShape.PORT.default(8085),
  AUCTION_DAY_START: minuteOfDay
    .prefault('11:00')
    .describe('Local time at which the first auctions of a day start (tenders.md 9.3)'),
  AUCTION_DAY_END: minuteOfDay.prefault('16:00').describe('Local time from which no half hour starts any more'),
  AUCTION_STREAMS: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000)
    .default(10)
    .describe('Concurrent auctions, separately for real and test tenders'),
  AUCTION_RANDOM_SECONDS: z.coerce
    .number()
    .int()
    .min(0)
    .max(1_799)
    .default(1_799)
    .describe('Maximum random delay of a start within its half hour, in seconds'),
  AUCTION_QUICK_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .optional()
    .describe(
      'Sandbox: quick auctions start this many seconds after tendering ends; 60 suits test beds (bids-awards-auction.md 2.10)',
    ),
  LEGACY_GUARDS: z
    .enum(['open', 'strict'])
    .optional()
    .describe('Status guards of segments 2.3, 0 and 0.1 (rulings R3); default open in sandbox mode, strict otherwise'),
  AUCTION_RECORD_PUBLIC: z
    .enum(['masked', 'full'])
    .optional()
    .describe(
      'Auction record for callers without the auction role, in those segments (rulings R4); default full in sandbox mode',
    ),
  AUCTIONS_URL: z
    .url()
    .optional()
    .describe('Sandbox: where fast-forward auctions are shown, the base of their addresses; without it they have none'),
  SPECIAL_MODES: z
    .enum(['service', 'component'])
    .default('service')
    .describe(
      'Sandbox: who plays auctions in the modes no-auction and fast-forward: this service, or the holder of the auction key (rulings R28)',
    ),
  CALENDAR_FILE: z
    .string()
    .optional()
    .describe('Path of a JSON file {"daysOff": ["2026-01-01"], "workdays": []}; without it only weekends are off'),
} as const;

export type Config = ReturnType<typeof config>;

/** Whether this service plays auctions in special modes (tenders.md 7.4, rulings R28). */
export function playsSpecialModes({
  SANDBOX_MODE,
  SPECIAL_MODES,
}: Pick<Config, 'SANDBOX_MODE' | 'SPECIAL_MODES'>): boolean {
  return SANDBOX_MODE && SPECIAL_MODES === 'service';
}

/** Reads the settings. Throws one error that names every invalid variable, or when the auction day has no half hour. */
export function config(env: Readonly<Record<string, string | undefined>>) {
  const read = readConfig(configShape, env);
  // Otherwise planning would search for a free half hour forever.
  if (read.AUCTION_DAY_START >= read.AUCTION_DAY_END) {
    throw new ConfigError(['AUCTION_DAY_END: must be later than AUCTION_DAY_START']);
  }
  return read;
}
