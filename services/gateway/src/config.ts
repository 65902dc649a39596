import { privateKeySetting, publicKeyOf } from '@procurement/kit/runtime/identity-keys';
import { ConfigError, FILES_GRACE_SECONDS, onOff, readConfig, serviceShape } from '@procurement/kit/runtime/config';
import { z } from 'zod';

const count = z.coerce.number().int();
const MEBIBYTE = 1_048_576;
const rate = z.coerce.number().min(0).optional();

/** All settings of this service. Only `main.ts` reads the environment. */
export const configShape = {
  ...serviceShape,
  PORT: serviceShape.PORT.default(8080),
  SHUTDOWN_GRACE_SECONDS: FILES_GRACE_SECONDS,
  OPERATIONS_HOST: z.string().default('127.0.0.1').describe('Address of /live, /ready and /metrics'),
  OPERATIONS_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .default(8093)
    .describe(
      'Port of /live, /ready, /metrics and the /health of operators, which PORT does not serve; 0 lets the system choose',
    ),
  TENDERS_URL: z.url().default('http://127.0.0.1:8081').describe('Address of the tenders service'),
  BIDS_URL: z.url().default('http://127.0.0.1:8082').describe('Address of the bids service'),
  AWARDS_URL: z.url().default('http://127.0.0.1:8083').describe('Address of the awards service'),
  DOCUMENTS_URL: z.url().default('http://127.0.0.1:8084').describe('Address of the documents service'),
  AUCTION_URL: z.url().default('http://127.0.0.1:8085').describe('Address of the auction service'),
  REGISTER_URL: z.url().default('http://127.0.0.1:8086').describe('Address of the register service'),
  LEDGER_URL: z
    .url()
    .optional()
    .describe('Address of the ledger service, such as http://127.0.0.1:8087. Without it there is no /log'),
  PORTAL_PUBLIC_URL: z
    .union([
      z.url({ protocol: /^https?$/ }),
      z
        .string()
        .regex(/^:([1-9]\d{0,4})$/)
        .refine((port) => Number(port.slice(1)) <= 65_535),
    ])
    .optional()
    .describe(
      'Where visitors reach the portal: an address, or a port such as `:8088` on the host of the request. Browsers that ask for / are sent there',
    ),
  IDEMPOTENCY_SECRET: z.string().min(32).describe('Derives the ids of objects that repeated requests create'),
  IDENTITY_PRIVATE_KEY: privateKeySetting.describe(
    'Signs the identity of the caller (Ed25519, PKCS #8 in base64). No other service has it',
  ),
  UPSTREAM_CONNECTIONS_MAX: count
    .min(1)
    .default(64)
    .describe('Connections to one service, and so its simultaneous requests'),
  UPSTREAM_TIMEOUT_MS: count.min(1).default(30_000).describe('Longest wait for the response to a JSON request'),
  UPLOAD_TIMEOUT_MS: count.min(1).default(1_800_000).describe('Longest upload'),
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .describe(
      'Addresses and networks, comma separated, whose X-Forwarded-For, -Proto, -Host and X-Request-ID are trusted',
    ),
  RATE_READS_PER_SECOND: rate.describe('Reads per second from one address; 0 means no limit; default 140, sandbox 0'),
  RATE_WRITES_PER_SECOND: rate.describe('Writes per second of one broker; 0 means no limit; default 20, sandbox 0'),
  UPLOADS_MAX: rate.describe('Simultaneous uploads of one broker; 0 means no limit; default 4, sandbox 0'),
  BODY_BYTES_MAX: count
    .min(1)
    .default(64 * MEBIBYTE)
    .describe('Bytes of JSON bodies that are kept at the same time; beyond them 503'),
  BODY_BYTES_PER_ADDRESS_MAX: count
    .min(1)
    .default(32 * MEBIBYTE)
    .describe('The same for one address'),
  ANSWER_BYTES_MAX: count
    .min(1)
    .default(64 * MEBIBYTE)
    .describe('Bytes of long answers that wait for their clients; beyond them 503'),
  ANSWER_BYTES_PER_ADDRESS_MAX: count
    .min(1)
    .default(32 * MEBIBYTE)
    .describe('The same for one address'),
  CLIENT_IDLE_MS: count
    .min(100)
    .default(20_000)
    .describe('A client that neither sends what it announced nor takes its answer for so long is disconnected'),
  // Above STREAMS_MAX of the register (5,500): streams alone must not use up the connections.
  CONNECTIONS_MAX: count.min(1).default(8_000).describe('Connections of all clients, also those of streams'),
  CONNECTIONS_PER_ADDRESS_MAX: count
    .min(0)
    .optional()
    .describe('Connections from one address that is no trusted proxy; 0 means no limit; default 256, sandbox 0'),
  REQUESTS_PER_ADDRESS_MAX: count
    .min(0)
    .optional()
    .describe('Simultaneous requests of one address; 0 means no limit; default 128, sandbox 0'),
  FILE_CONNECTIONS_MAX: count
    .min(1)
    .default(64)
    .describe('Connections for uploads and downloads of files, apart from UPSTREAM_CONNECTIONS_MAX'),
  FILES_PER_ADDRESS_MAX: count
    .min(0)
    .optional()
    .describe('Simultaneous uploads and downloads of one address; 0 means no limit; default 16, sandbox 0'),
  STREAMS_PER_ADDRESS: count
    .min(1)
    .default(20)
    .describe('Open streams of one address without a key, also in the sandbox'),
  STREAMS_PER_KEY: count.min(1).default(50).describe('Open streams of one broker, also in the sandbox'),
  PRESSURE_LAG_MS: count.min(1).default(1_000).describe('Event loop lag above which requests are refused (503)'),
  KEYS_REFRESH_SECONDS: count.min(1).default(10).describe('Seconds between two reads of all broker keys'),
  HOT_READS: z
    .enum(['dispatch', 'proxy'])
    .default('dispatch')
    .describe(
      'How reads of tenders and feed pages are forwarded: together in one request, or by the same proxy as all else',
    ),
  COMPRESSION: onOff.default(true).describe('on: gzip and br for JSON and pages above 1 KiB, when accepted'),
} as const;

export type Config = ReturnType<typeof config>;

/** Reads the settings; throws one error that names every invalid variable. */
export function config(env: Readonly<Record<string, string | undefined>>) {
  const read = readConfig(configShape, env);
  // The services would refuse every request.
  if (!read.IDENTITY_PUBLIC_KEYS.includes(publicKeyOf(read.IDENTITY_PRIVATE_KEY)))
    throw new ConfigError(['IDENTITY_PUBLIC_KEYS: lacks the key of IDENTITY_PRIVATE_KEY']);
  return read;
}
