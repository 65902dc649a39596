import { z } from 'zod';
import { publicKeysSetting } from './identity-keys.ts';
import type { Logger } from './log.ts';

/** `on` / `off`, also `true`/`false`, `1`/`0`. */
export const onOff = z
  .enum(['on', 'off', 'true', 'false', '1', '0'])
  .transform((value) => value === 'on' || value === 'true' || value === '1');

/**
 * Base of links where PUBLIC_BASE_URL is not set. The gateway replaces it in answers by the address of the request (decision 0072). Names
 * under `.invalid` exist nowhere (RFC 6761), so no text of a client begins with it.
 */
export const LINKS_BASE = 'http://gateway.invalid';

/** Warns about what PUBLIC_BASE_URL is missed for: events and webhooks have no request that their links could follow. */
export function warnWithoutPublicBase(
  { PUBLIC_BASE_URL: base }: { readonly PUBLIC_BASE_URL: string },
  log: Pick<Logger, 'warn'>,
): void {
  if (base === LINKS_BASE) log.warn({ base }, 'PUBLIC_BASE_URL is not set: links in events and webhooks lead nowhere');
}

/** Settings that every service has. */
export const serviceShape = {
  HOST: z.string().default('127.0.0.1').describe('Address to listen on'),
  PORT: z.coerce.number().int().min(0).max(65_535).describe('Port to listen on; 0 lets the system choose'),
  DATABASE_URL: z.string().min(1).describe("PostgreSQL address of this service's own database"),
  DATABASE_CONNECTIONS_MAX: z.coerce.number().int().positive().default(10).describe('Connections of the pool'),
  NATS_URL: z.string().min(1).describe('Address of NATS with JetStream; several are separated by commas'),
  NATS_USER: z
    .string()
    .regex(/^[\w-]+$/)
    .optional()
    .describe('User at NATS, which is the name of the service; also possible in NATS_URL'),
  NATS_PASSWORD: z.string().min(1).optional().describe('Password of that user'),
  NATS_CA_FILE: z.string().min(1).optional().describe('Certificate authority of NATS (PEM): TLS is then required'),
  NATS_CERT_FILE: z.string().min(1).optional().describe('Own certificate (PEM), where NATS asks for one'),
  NATS_KEY_FILE: z.string().min(1).optional().describe('Key of that certificate (PEM)'),
  NATS_REPLICAS: z.coerce.number().int().min(1).max(5).default(1).describe('Copies of each stream in the NATS cluster'),
  STREAM_DAYS_MAX: z.coerce.number().int().min(1).default(30).describe('Days for which streams keep events'),
  STREAM_BYTES_MAX: z.coerce
    .number()
    .int()
    .min(64 * 1024 * 1024)
    .default(4 * 1024 ** 3)
    .describe('Bytes of one stream; the oldest events above it are discarded'),
  POSITION_CHECK_SECONDS: z.coerce
    .number()
    .int()
    .positive()
    .default(60)
    .describe('Pause between two checks of the position in a stream, which find lost databases, copies and streams'),
  IDENTITY_PUBLIC_KEYS: publicKeysSetting.describe(
    'Public keys of the gateway (SPKI in base64), separated by a comma: with them services check the identity of the caller',
  ),
  WAIT_FACTOR: z.coerce
    .number()
    .min(1)
    .max(100)
    .default(1)
    .describe(
      'Factor of the times for which a service waits for another one and then goes on without it: 300 ms until a write is shown, 500 ms for newer facts, 5 s until the results of an auction or a moved clock are shown. Above 1 on a slow machine',
    ),
  PUBLIC_BASE_URL: z
    .url()
    .default(LINKS_BASE)
    .describe('Scheme and host of links. Unset, in all services: links follow the address of the request'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal']).default('info').describe('pino level'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url()
    .optional()
    .describe(
      'Receiver of traces, OTLP over HTTP: /v1/traces is added. Unset: no traces. Set it in all services or in none',
    ),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe('Share of requests that are traced, 0 to 1'),
  SANDBOX_MODE: onOff.default(false).describe('on: acceleration, sandbox keys and the sandbox clock exist'),
  SHUTDOWN_LINGER_SECONDS: z.coerce
    .number()
    .int()
    .min(0)
    .default(5)
    .describe('After SIGTERM: seconds in which requests are still answered, each as the last one of its connection'),
  SHUTDOWN_GRACE_SECONDS: z.coerce
    .number()
    .int()
    .positive()
    .default(30)
    .describe('After that: seconds for running requests. More than any but an upload or download needs'),
  CONNECTION_SECONDS_MAX: z.coerce
    .number()
    .int()
    .min(0)
    .default(0)
    .describe(
      'Age at which a connection of HTTP ends with its next answer. Below the time from the last new connection to SIGTERM (preStop). 0: none',
    ),
  EXIT_WITH_PARENT: onOff.default(false).describe('on: ends when standard input closes (the local supervisor ended)'),
} as const;

/** Settings that programs before the gateway have: none of them has long requests. */
export const appShape = {
  HOST: z.string().default('127.0.0.1').describe('Address to listen on'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal']).default('info').describe('pino level'),
  SHUTDOWN_LINGER_SECONDS: z.coerce.number().int().min(0).default(5).describe('After SIGTERM: seconds of service'),
  SHUTDOWN_GRACE_SECONDS: z.coerce.number().int().positive().default(10).describe('After that: for running requests'),
  EXIT_WITH_PARENT: onOff.default(false).describe('on: ends when standard input closes'),
} as const;

/** An upload or download may take as long: for the services that have them. */
export const FILES_GRACE_SECONDS = serviceShape.SHUTDOWN_GRACE_SECONDS.default(300);

/** Settings with which a service cannot run. The message names each variable, and no value. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(`The configuration is not usable:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  }
}

/** EX_CONFIG of sysexits.h: a restart does not help. */
const EXIT_CONFIG = 78;

/** The settings of this process. With bad ones, prints the list and ends the process. */
export function settingsOrExit<T>(read: (env: NodeJS.ProcessEnv) => T): T {
  try {
    return read(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return process.exit(EXIT_CONFIG);
  }
}

/**
 * Parses the environment by `shape`. Throws one `ConfigError` that lists every invalid variable with its description, and never a
 * value (values may be secrets).
 */
export function readConfig<S extends z.ZodRawShape>(
  shape: S,
  env: Readonly<Record<string, string | undefined>>,
): z.infer<z.ZodObject<S>> {
  // An empty variable counts as absent: compose files pass `${NAME:-}`.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = z.object(shape).safeParse(given);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => {
    const name = issue.path.join('.');
    const setting = shape[name] as z.ZodType | undefined;
    return `${name}: ${issue.message}${setting?.description === undefined ? '' : ` (${setting.description})`}`;
  });
  throw new ConfigError(problems);
}
