import { readConfig, serviceShape } from '@procurement/kit/runtime/config';
import { z } from 'zod';

/** All settings of this service. Only `main.ts` reads the environment. */
export const configShape = {
  ...serviceShape,
  PORT: serviceShape.PORT.default(8083),
  SERVER_ID: z
    .string()
    .regex(/^[\w-]*$/)
    .default('')
    .describe('Part of the numbers of complaints and contracts where several installations share a number space'),
  COMPLAINTS_MODE: z
    .enum(['full', 'claims-only'])
    .default('full')
    .describe('full: claims are escalated to reviewers; claims-only: they are not (bids-awards-auction.md 3.7)'),
  LEGACY_GUARDS: z
    .enum(['open', 'strict'])
    .optional()
    .describe('Status guards of segments 2.3, 0 and 0.1 (rulings R3); default open in sandbox mode, strict otherwise'),
  CALENDAR_FILE: z
    .string()
    .optional()
    .describe('Path of a JSON file {"daysOff": ["2026-01-01"], "workdays": []}; without it only weekends are off'),
} as const;

export type Config = ReturnType<typeof config>;

/** Reads the settings. Throws one error that names every invalid variable. */
export function config(env: Readonly<Record<string, string | undefined>>) {
  return readConfig(configShape, env);
}
