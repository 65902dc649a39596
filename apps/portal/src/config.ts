import { appShape, onOff, readConfig } from '@procurement/kit/runtime/config';
import { z } from 'zod';

const port = z.coerce.number().int().min(0).max(65_535);
const address = z.url().transform((url) => url.replace(/\/$/, ''));

/** All settings of the portal. Only `main.ts` reads the environment. */
export const configShape = {
  ...appShape,
  PORT: port.default(8088).describe('Port of the pages'),
  OPERATIONS_HOST: z.string().default('127.0.0.1').describe('Address of /live, /ready and /metrics'),
  OPERATIONS_PORT: port.default(8094).describe('Port of /live, /ready and /metrics; never public'),
  API_URL: address.describe('Address of the gateway, which the portal calls'),
  PUBLIC_URL: address
    .optional()
    .describe(
      'Origin of the pages, in links and in the policy of browsers. Absent in a sandbox only: that of the request',
    ),
  API_PUBLIC_URL: z
    .string()
    .regex(/^(?::\d{1,5}|https?:\/\/\S+)$/)
    .transform((url) => url.replace(/\/$/, ''))
    .describe('Address of the gateway for visitors; `:8080` is the host of the request with that port'),
  AUCTIONS_PUBLIC_URL: address.optional().describe('Origin of the auction room; only links to it are buttons'),
  SITE_NAME_UK: z.string().default('Публічні закупівлі').describe('Name of the site, Ukrainian'),
  SITE_NAME_EN: z.string().default('Public procurement').describe('Name of the site, English'),
  CONTACT: z.string().default('').describe('E-mail address for questions about the portal'),
  DATA_LICENCE: z.string().default('').describe('Licence of the data, a name or an address'),
  INDEXING: onOff.default(false).describe('on: search engines may index the pages'),
  PLAY: z.enum(['auto', 'off']).default('auto').describe('auto: in a sandbox visitors can play a procedure'),
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform((text) => text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()])))
    .describe('Addresses or networks of proxies whose X-Forwarded-For, -Host and -Proto count'),
  CACHE_MB: z.coerce
    .number()
    .int()
    .min(1)
    .max(256)
    .default(2)
    .describe('Megabytes of answers of the API that are kept'),
} as const;

export type Config = ReturnType<typeof config>;

/** Throws one error that names every invalid variable. */
export function config(env: Readonly<Record<string, string | undefined>>) {
  return readConfig(configShape, env);
}
