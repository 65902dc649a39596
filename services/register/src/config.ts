import { z } from 'zod';
import { CONTACT_POINTS, OCDS_DEFAULTS } from '@procurement/ocds/settings';
import { ConfigError, onOff, readConfig, serviceShape } from '@procurement/kit/runtime/config';
import { secretKeys } from '@procurement/kit/runtime/secret-box';
import { ocdsAccess, type OcdsAccess } from './ocds/domain/ocds-access.ts';

/** All settings of this service. Only `main.ts` reads the environment. */
export const configShape = {
  ...serviceShape,
  PORT: serviceShape.PORT.default(8086),
  REGISTER_KEYS: secretKeys.describe(
    'Signs cursors of searches and encrypts secrets of webhooks: keys of at least 32 characters, with commas; the first is used, all are accepted',
  ),
  WEBHOOKS: onOff.default(true).describe('off: there are no webhooks'),
  WEBHOOK_PRIVATE: onOff
    .optional()
    .describe('on: webhooks may use http and lead to private addresses; default on in sandbox mode, off otherwise'),
  WEBHOOK_DENY: z
    .string()
    .default('')
    .transform((text) => text.split(',').filter((one) => one !== ''))
    .pipe(z.array(z.union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()])))
    .describe('Own networks that webhooks never lead to: addresses or CIDR, with commas'),
  WEBHOOK_PORTS_DENIED: z
    .string()
    .default('')
    .transform((text) => text.split(',').filter((one) => one !== ''))
    .pipe(
      z.array(
        z
          .string()
          .regex(/^\d{1,5}$/)
          .transform(Number),
      ),
    )
    .describe('Ports that webhooks never lead to, with commas'),
  EXPORTS: z
    .enum(['clock', 'manual'])
    .optional()
    .describe(
      'clock: exports of days and weeks are made by themselves; manual: by the command only. Default clock, in sandbox mode manual',
    ),
  EXPORT_STORE: z
    .string()
    .default('folder:.local/exports')
    .describe('Where exports are stored: folder:<path>, or s3:<http or https>://<host>/<bucket>'),
  S3_ACCESS_KEY: z.string().optional().describe('Access key of the bucket'),
  S3_SECRET_KEY: z.string().optional().describe('Secret key of the bucket'),
  S3_REGION: z.string().default('us-east-1').describe('Region of the bucket'),
  EXPORT_ZSTD: onOff
    .default(true)
    .describe('off: exports have files of gzip only, not of Zstandard beside them. Needs Node 22.15 or later'),
  EXPORTS_PUBLIC_URL: z
    .url()
    .optional()
    .describe('Address of the bucket for readers, without a slash at its end: manifests then point there'),
  EXPORT_LICENSE: z
    .url()
    .default('https://creativecommons.org/publicdomain/zero/1.0/')
    .describe('Licence of the exported data'),
  STREAMS_MAX: z.coerce.number().int().min(1).default(5_500).describe('Open streams of this process; beyond them 503'),
  STREAM_EXPANDED_MAX: z.coerce
    .number()
    .int()
    .min(0)
    .default(200)
    .describe('Open streams with whole tenders (`expand`) of this process; beyond them 429'),
  OCDS_ENABLED: onOff.default(true).describe('off: releases are neither made nor served'),
  OCDS_OCID_PREFIX: z
    .string()
    .optional()
    .describe(
      'Prefix of all ocids, from the Open Contracting Partnership; never changed. Unset: the sample in a sandbox',
    ),
  OCDS_PUBLISHER_NAME: z
    .string()
    .optional()
    .describe('Name of who publishes the releases. Unset: Sandbox in a sandbox'),
  OCDS_PUBLISHER_SCHEME: z
    .string()
    .optional()
    .describe('Register of organizations that has the publisher, e.g. UA-EDR'),
  OCDS_PUBLISHER_UID: z.string().optional().describe('Number of the publisher there'),
  OCDS_PUBLISHER_URI: z.string().optional().describe('Address of the publisher'),
  OCDS_LICENSE: z.string().default(OCDS_DEFAULTS.license).describe('Address of an open licence, of all releases'),
  OCDS_PUBLICATION_POLICY: z.string().optional().describe('Address of the page that describes the publication'),
  OCDS_LANGUAGE: z.string().default(OCDS_DEFAULTS.language).describe('Language of texts without a suffix'),
  OCDS_INCLUDE_TEST: onOff.optional().describe('on: test tenders are published too. Unset: as SANDBOX_MODE'),
  OCDS_CONTACT_POINTS: z
    .enum(CONTACT_POINTS)
    .default(OCDS_DEFAULTS.contactPoints)
    .describe('Whose contact points releases have'),
  OCDS_PAGE_SIZE: z.coerce.number().int().min(1).max(1_000).default(100).describe('Entries of a page without `limit`'),
  OCDS_BULK_MAX_CONCURRENT: z.coerce.number().int().min(1).default(2).describe('Downloads of all releases at a time'),
  OCDS_HEAD_MAX_AGE: z.coerce
    .number()
    .int()
    .min(0)
    .default(15)
    .describe('Seconds for which answers that may still change are cached'),
} as const;

type Settings = z.infer<z.ZodObject<typeof configShape>>;

export interface Config extends Settings {
  readonly ocds: OcdsAccess;
}

/** Reads the settings. Throws one error that names every invalid variable. */
export function config(env: Readonly<Record<string, string | undefined>>): Config {
  const settings = readConfig(configShape, env);
  const ocds = ocdsAccess(settings);
  if ('problems' in ocds) throw new ConfigError(ocds.problems);
  return { ...settings, ocds };
}
