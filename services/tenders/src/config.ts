import { ConfigError, onOff, readConfig, serviceShape } from '@procurement/kit/runtime/config';
import { TENDER_BYTES } from '@procurement/contracts/limits';
import { z } from 'zod';

/** Every setting of this service. The only reader of the environment is `main.ts`. */
export const configShape = {
  ...serviceShape,
  PORT: serviceShape.PORT.default(8081),
  SERVER_ID: z
    .string()
    .regex(/^[\w-]*$/)
    .default('')
    .describe('Suffix of tenderID where several installations share a number space'),
  STRICT_TEST_MODE: onOff.default(false).describe('on: acceleration is refused outside test mode (tenders.md 7.3)'),
  COMPLAINTS_MODE: z
    .enum(['full', 'claims-only'])
    .default('full')
    .describe('full: claims are escalated to reviewers; claims-only: they are not (tenders.md 13.4)'),
  LEGACY_GUARDS: z
    .enum(['open', 'strict'])
    .optional()
    .describe('Status guards of segments 2.3, 0 and 0.1 (rulings R3); default open in sandbox mode, strict otherwise'),
  TENDER_BYTES_MAX: z.coerce
    .number()
    .int()
    .min(TENDER_BYTES.min)
    .max(TENDER_BYTES.max)
    .default(TENDER_BYTES.default)
    .describe('Most bytes of a stored tender with its questions, complaints and cancellations (limits.md 4)'),
  FEED_SECRET: z.string().min(16).describe('Signs the opaque offsets of feed=changes'),
  FEED_EPOCH: z.coerce
    .number()
    .int()
    .min(0)
    .max(4_294_967_295)
    .default(1)
    .describe('Raise after a restore that lost commits: older feed=changes offsets then answer 404'),
  PUBLICATIONS: onOff
    .default(true)
    .describe('The log of publications, which the register follows. off: for benchmarks only, the log gets a gap'),
  PUBLICATION_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(3_650)
    .default(7)
    .describe('Days that a publication is kept in the log'),
  LEDGER_ORIGIN: z
    .string()
    .optional()
    .describe('Name of the transparency log, where there is a ledger: the log of publications is then never off'),
} as const;

export type Config = ReturnType<typeof config>;

/** Reads the settings; throws one error that names every bad variable. */
export function config(env: Readonly<Record<string, string | undefined>>) {
  const read = readConfig(configShape, env);
  // What is published meanwhile would be missing from the transparency log for ever.
  if (!read.PUBLICATIONS && read.LEDGER_ORIGIN !== undefined)
    throw new ConfigError(['PUBLICATIONS: off is not possible where LEDGER_ORIGIN is set']);
  return read;
}
