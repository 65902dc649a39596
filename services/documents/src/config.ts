import { readConfig, serviceShape } from '@procurement/kit/config';
import { z } from 'zod';

/** Every setting of this service. The only reader of the environment is `main.ts`. */
export const configShape = {
  ...serviceShape,
  PORT: serviceShape.PORT.default(8084),
  STORAGE: z.string().default('folder:.local/files').describe('Where files are kept: folder:<path>'),
} as const;

/** Reads the settings; throws one error that names every bad variable. */
export function config(env: Readonly<Record<string, string | undefined>>) {
  return readConfig(configShape, env);
}
