import { z } from 'zod';
import { readConfig, serviceShape } from '@procurement/kit/runtime/config';

/** All settings of this service. Only `main.ts` reads the environment. */
export const configShape = {
  ...serviceShape,
  PORT: serviceShape.PORT.default(8086),
  REGISTER_KEYS: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.string().min(32)))
    .describe(
      'Signs cursors of searches: keys of at least 32 characters, with commas; the first signs, all are accepted',
    ),
  STREAMS_MAX: z.coerce.number().int().min(1).default(5_500).describe('Open streams of this process; beyond them 503'),
} as const;

export type Config = ReturnType<typeof config>;

/** Reads the settings. Throws one error that names every invalid variable. */
export function config(env: Readonly<Record<string, string | undefined>>) {
  return readConfig(configShape, env);
}
