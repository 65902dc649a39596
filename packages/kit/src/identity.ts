import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

/** The header by which the gateway vouches for a caller. */
export const IDENTITY_HEADER = 'x-identity';

/** How long a signed identity is good for. Short: it is minted for one request. */
export const IDENTITY_SECONDS = 60;

/**
 * What the gateway says of a caller. Secrets never travel in it: the owner token only as its SHA-256.
 */
export const Identity = z.object({
  /** Name of the authenticated caller; absent when anonymous. */
  broker: z.string().optional(),
  /** Group of the caller, `anonymous` without credentials. */
  group: z.string(),
  /** Why a caller is anonymous: nothing sent, or something that is not known. */
  credentials: z.enum(['missing', 'unknown']).optional(),
  /** Accreditation levels and flags, one character each. */
  levels: z.string(),
  /** SHA-256 hex of the owner token sent with the request. */
  tokenHash: z.string().optional(),
  /** Version segment by which the request came. */
  segment: z.string(),
  /** Set when the method is not defined there: the `Allow` to answer with, after the 404s. */
  allow: z.string().optional(),
  /** From which the service derives ids and tokens of what this request creates, so that a repeat cannot create a second. */
  seed: z.string().optional(),
  /** Unix seconds. */
  expires: z.number().int(),
});
export type Identity = z.infer<typeof Identity>;

function signature(payload: string, secret: string): Buffer {
  return createHmac('sha256', secret).update(payload).digest();
}

/** Signs an identity: `base64url(json).base64url(hmac-sha256)`. */
export function signIdentity(identity: Identity, secret: string): string {
  const payload = Buffer.from(JSON.stringify(identity)).toString('base64url');
  return `${payload}.${signature(payload, secret).toString('base64url')}`;
}

// The gateway reuses the signed anonymous identity for a second, so most reads carry a header seen before. Checking it
// again costs 4 µs, a look-up 0.1 µs.
const KNOWN_MAX = 512;
const known = new Map<string, Identity>();

/** The identity, if the header was signed with this secret and has not expired; otherwise undefined. */
export function verifyIdentity(header: string | undefined, secret: string, nowSeconds: number): Identity | undefined {
  if (header === undefined) return undefined;
  const cacheKey = `${secret}\n${header}`;
  const seen = known.get(cacheKey);
  if (seen !== undefined) return seen.expires >= nowSeconds ? seen : undefined;
  const dot = header.indexOf('.');
  if (dot < 1) return undefined;
  const payload = header.slice(0, dot);
  const given = Buffer.from(header.slice(dot + 1), 'base64url');
  const expected = signature(payload, secret);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  const identity = parseIdentity(payload);
  if (identity === undefined || identity.expires < nowSeconds) return undefined;
  if (known.size >= KNOWN_MAX) known.clear();
  known.set(cacheKey, identity);
  return identity;
}

function parseIdentity(payload: string): Identity | undefined {
  try {
    return Identity.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))).data;
  } catch {
    return undefined;
  }
}
