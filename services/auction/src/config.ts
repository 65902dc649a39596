import { readConfig, serviceShape } from '@procurement/kit/config';

/** Every setting of this service. The only reader of the environment is `main.ts`. */
export const configShape = {
  ...serviceShape,
  PORT: serviceShape.PORT.default(8085),
} as const;

/** Reads the settings; throws one error that names every bad variable. */
export function config(env: Readonly<Record<string, string | undefined>>) {
  return readConfig(configShape, env);
}
