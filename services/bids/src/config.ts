import { ConfigError, onOff, readConfig, serviceShape } from '@procurement/kit/runtime/config';
import { secretKeys } from '@procurement/kit/runtime/secret-box';
import { z } from 'zod';

/** Every setting of this service. The only reader of the environment is `main.ts`. */
export const configShape = {
  ...serviceShape,
  PORT: serviceShape.PORT.default(8082),
  LEGACY_GUARDS: z
    .enum(['open', 'strict'])
    .optional()
    .describe('Status guards of segments 2.3, 0 and 0.1 (rulings R3); default open in sandbox mode, strict otherwise'),
  BIDS_KEYS: secretKeys
    .optional()
    .describe(
      'Encrypts bids until they are opened: keys of at least 32 characters, with commas; the first encrypts, all decrypt. Required unless SEAL_BIDS=off. Lost keys are lost bids',
    ),
  SEAL_BIDS: onOff.default(true).describe('off: bids are stored in clear text; those that are encrypted stay readable'),
} as const;

export type Config = ReturnType<typeof config>;

/** Reads the settings; throws one error that names every bad variable. */
export function config(env: Readonly<Record<string, string | undefined>>) {
  const settings = readConfig(configShape, env);
  if (settings.SEAL_BIDS && settings.BIDS_KEYS === undefined)
    throw new ConfigError([`BIDS_KEYS: required unless SEAL_BIDS=off (${configShape.BIDS_KEYS.description})`]);
  return settings;
}
