import { readConfig, serviceShape } from '@procurement/kit/runtime/config';
import { z } from 'zod';

/** Every setting of this service. The only reader of the environment is `main.ts`. */
export const configShape = {
  ...serviceShape,
  PORT: serviceShape.PORT.default(8082),
  LEGACY_GUARDS: z
    .enum(['open', 'strict'])
    .optional()
    .describe('Status guards of segments 2.3, 0 and 0.1 (rulings R3); default open in sandbox mode, strict otherwise'),
} as const;

export type Config = ReturnType<typeof config>;

/** Reads the settings; throws one error that names every bad variable. */
export function config(env: Readonly<Record<string, string | undefined>>) {
  return readConfig(configShape, env);
}
