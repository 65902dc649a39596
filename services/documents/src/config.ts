import { FILES_GRACE_SECONDS, readConfig, serviceShape } from '@procurement/kit/runtime/config';
import { z } from 'zod';

const count = z.coerce.number().int().min(1);
const seed = z.string().regex(/^[0-9a-f]{64}$/);
const keys = z
  .string()
  .default('')
  .transform((list) => list.split(',').filter((key) => key !== ''))
  .pipe(z.array(z.string().regex(/^[0-9a-f]{64}$/)));

/** Every setting of this service. The only reader of the environment is `main.ts`. */
export const configShape = {
  ...serviceShape,
  PORT: serviceShape.PORT.default(8084),
  SHUTDOWN_GRACE_SECONDS: FILES_GRACE_SECONDS,
  STORAGE: z
    .string()
    .default('folder:.local/files')
    .describe('Where files are stored: folder:<path>, or s3:<http or https>://<host>/<bucket>'),
  S3_ACCESS_KEY: z.string().optional().describe('Access key of the bucket'),
  S3_SECRET_KEY: z.string().optional().describe('Secret key of the bucket'),
  S3_REGION: z.string().default('us-east-1').describe('Region of the bucket'),
  MAX_FILE_BYTES: count
    .default(1_073_741_824)
    .describe('Largest file in bytes; public installations usually set about 50 MiB'),
  UPLOAD_IDLE_MS: count.default(60_000).describe('Longest pause of a sender, in milliseconds'),
  UPLOAD_MS_MAX: count.default(1_800_000).describe('Longest upload, in milliseconds'),
  DOCUMENT_SERVICE_URL: z
    .url()
    .optional()
    .describe('Scheme and host of /register, /upload and /get as clients see them; default PUBLIC_BASE_URL'),
  FILE_SECRET: z.string().min(32).describe('Derives the keys that sign addresses of files'),
  SERVICE_SIGNING_SEED: seed
    .optional()
    .describe('32 bytes in hex: signs uploads and registrations; default derived from FILE_SECRET'),
  API_SIGNING_SEED: seed
    .optional()
    .describe('32 bytes in hex: signs permanent addresses; default derived from FILE_SECRET'),
  SERVICE_KEYS_FORMER: keys.describe('Former public keys, comma separated, whose uploads and registrations stay valid'),
  API_KEYS_FORMER: keys.describe('Former public keys, comma separated, whose permanent addresses stay valid'),
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
