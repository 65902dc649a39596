import { appShape, onOff, readConfig } from '@procurement/kit/runtime/config';
import { z } from 'zod';
import type { MasterKey } from './session/links.ts';

const KEY_BYTES_MIN = 32;
const NUMBERED_KEY = /^(\d{1,9}):([A-Za-z0-9_-]+)$/;

/** `2:<base64url>,1:<base64url>`, newest first. */
const masterKeys = z.string().transform((text, context): readonly MasterKey[] =>
  text.split(',').flatMap((part) => {
    const match = NUMBERED_KEY.exec(part.trim());
    const key = Buffer.from(match?.[2] ?? '', 'base64url');
    if (match !== null && key.length >= KEY_BYTES_MIN) return [{ number: Number(match[1]), key }];
    context.addIssue({ code: 'custom', message: `each key is number:base64url of ${KEY_BYTES_MIN} bytes or more` });
    return [];
  }),
);
const list = (text: string): readonly string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
const withoutSlash = (url: string): string => url.replace(/\/$/, '');

/** All settings of the room. Only `main.ts` reads the environment. */
export const configShape = {
  ...appShape,
  PORT: z.coerce.number().int().min(0).max(65_535).default(8089).describe('Port of pages, streams and offers'),
  PUBLIC_URL: z
    .url()
    .transform(withoutSlash)
    .default('http://127.0.0.1:8089')
    .describe('Origin of pages and links. With https, cookies are Secure'),
  PORTAL_PUBLIC_URL: z
    .url()
    .transform(withoutSlash)
    .optional()
    .describe('Address of the portal: where the header of the pages leads, and the number of a tender'),
  API_URL: z.url().transform(withoutSlash).describe('Address of the gateway'),
  DOCUMENT_SERVICE_URL: z
    .url()
    .transform(withoutSlash)
    .optional()
    .describe('Address of the document service; the gateway when absent'),
  ROOM_API_KEY: z.string().min(1).describe('Key of group `auction`'),
  DATABASE_URL: z.string().min(1).describe("PostgreSQL address of the room's own database"),
  ROOM_SECRETS: masterKeys.describe(
    'Master keys of links and sessions, `number:base64url` of 32 bytes or more, newest first: the first makes, all check',
  ),
  OPERATOR_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .default(8090)
    .describe('Port of /live, /ready, /health, /metrics and the page of operators; never public'),
  OPERATOR_HOST: z.string().default('127.0.0.1').describe('Address of that port'),
  OPERATOR_KEYS: z
    .string()
    .default('')
    .transform(list)
    .describe('`name:sha256` of the keys of operators, hex, separated by commas; without one there is no page'),
  FOLLOW_SECONDS: z.coerce.number().min(0.1).optional().describe('Pause at the end of the feed; 5, in a sandbox 1'),
  PROCUREMENT_TYPES: z
    .string()
    .default('belowThreshold')
    .transform(list)
    .describe('Procedures whose auctions are held'),
  SPECIAL_MODES: z
    .enum(['service', 'room'])
    .default('service')
    .describe('Who holds auctions in the modes no-auction and fast-forward'),
  TAKE_OVER: onOff.default(false).describe('on: also auctions for which another component published an address'),
  COMPAT_API: onOff.default(true).describe('on: the addresses that robots of another component use exist below /api'),
  TURN_END_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(1_000)
    .default(150)
    .describe('How long the end of a turn waits for offers that arrived in time'),
  STREAMS_MAX: z.coerce
    .number()
    .int()
    .positive()
    .default(12_000)
    .describe('Streams and sockets of watchers; bidders are not counted'),
  STREAMS_PER_ADDRESS_MAX: z.coerce
    .number()
    .int()
    .positive()
    .default(200)
    .describe('Streams and sockets of watchers of one address'),
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform(list)
    .describe('Addresses or networks of proxies whose X-Forwarded-For counts'),
  RETURN_HOSTS: z.string().default('').transform(list).describe('Hosts of return addresses; any when empty'),
  SANDBOX_MODE: onOff.default(false).describe('on: tenders may live in a time of their own, which may be moved'),
  SANDBOX_ACCELERATES_STAGES: onOff.default(true).describe('Sandbox: the accelerator of a tender shortens its stages'),
} as const;

export type Config = ReturnType<typeof config>;

/** Throws one error that names every invalid variable. */
export function config(env: Readonly<Record<string, string | undefined>>) {
  return readConfig(configShape, env);
}
