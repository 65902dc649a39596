import { createHash } from 'node:crypto';
import { createDecoder, createSigner, createVerifier } from 'fast-jwt';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { privateKeyPem, publicKeyPem, publicKeyOf } from '../runtime/identity-keys.ts';

/** Request header with the identity that the gateway signed. */
export const IDENTITY_HEADER = 'x-identity';

/** Validity of a signed identity in seconds. Short, because it is made for one request. */
export const IDENTITY_SECONDS = 60;

/** The caller as the gateway has authenticated it. Contains no secret: of the owner token only the SHA-256. */
export const Identity = z.object({
  /** Name of the authenticated caller; absent when anonymous. */
  broker: z.string().optional(),
  /** Group of the caller; `anonymous` without known credentials. */
  group: z.string(),
  /** Why a caller is anonymous: no credentials, or unknown ones. */
  credentials: z.enum(['missing', 'unknown']).optional(),
  /** Accreditation levels and flags, one character each. */
  levels: z.string(),
  /** SHA-256 hex of the owner token sent with the request. */
  tokenHash: z.string().optional(),
  /** Version segment of the request. */
  segment: z.string(),
  /** `Allow` header of the 405, when the segment lacks this method. A 404 takes precedence. */
  allow: z.string().optional(),
  /** Seed of the ids and tokens that this request creates, so that a repeated request does not create a second object. */
  seed: z.string().optional(),
  /** Unix seconds. */
  expires: z.number().int(),
});
export type Identity = z.infer<typeof Identity>;

/** The request that an identity is for. */
export interface IdentityScope {
  /** The service that receives it. */
  readonly audience: string;
  readonly method: string;
  /** Absent in identities of anonymous callers, which give no right that everybody lacks: one serves many requests. */
  readonly path?: string | undefined;
}

/** Signs an identity as a JWT (EdDSA) for one request. */
export type IdentitySigner = (identity: Identity, scope: IdentityScope) => string;

/** Where a request arrived. */
export interface ReceivedTarget {
  readonly method: string;
  /** Path, with or without query. */
  readonly url: string;
}

/** Returns the identity in a header; undefined when it is missing, invalid, expired, or signed for another request. */
export type IdentityVerifier = (
  header: string | undefined,
  target: ReceivedTarget,
  nowSeconds: number,
) => Identity | undefined;

const ISSUER = 'gateway';
const ALGORITHM = 'EdDSA';

/** Key id in the token's header, by which a verifier with two keys selects one. */
function keyId(publicKey: string): string {
  return createHash('sha256').update(publicKey).digest('hex').slice(0, 16);
}

/** `privateKey`: PKCS #8 in base64. */
export function makeIdentitySigner(privateKey: string): IdentitySigner {
  const sign = createSigner({
    key: privateKeyPem(privateKey),
    algorithm: ALGORITHM,
    kid: keyId(publicKeyOf(privateKey)),
    iss: ISSUER,
    noTimestamp: true,
  });
  return ({ expires, ...claims }, { audience, method, path }) =>
    sign({
      ...claims,
      aud: audience,
      method: headAsGet(method),
      ...(path === undefined ? {} : { path: normalPath(path) }),
      exp: expires,
    });
}

// The gateway reuses identities within a second, so most reads carry a header verified before. Verifying costs 150 µs, a look-up
// less than 1 µs (decision 0015).
const VERIFIED_MAX = 512;

/** Claims of a verified token. */
interface Verified {
  readonly identity: Identity;
  readonly method?: string | undefined;
  readonly path?: string | undefined;
}

/**
 * `publicKeys`: SPKI in base64. During a rotation there are two: first every service accepts the new one, then the gateway signs
 * with its private key, then the old one is removed (deploy/README.md).
 */
export function makeIdentityVerifier(publicKeys: readonly string[], audience: string): IdentityVerifier {
  const decode = createDecoder({ complete: true });
  const claims = { allowedIss: ISSUER, allowedAud: audience, requiredClaims: ['exp', 'iss', 'aud'] };
  // Expiry is checked below against `nowSeconds`, for cached tokens too.
  const verifiers = new Map(
    publicKeys.map((key) => [
      keyId(key),
      createVerifier({ ...claims, key: publicKeyPem(key), algorithms: [ALGORITHM], ignoreExpiration: true }),
    ]),
  );
  const verified = new LRUCache<string, Verified>({ max: VERIFIED_MAX });
  return (header, target, nowSeconds) => {
    if (header === undefined) return undefined;
    let found = verified.get(header);
    if (found === undefined) {
      found = verify(header);
      if (found === undefined) return undefined;
      verified.set(header, found);
    }
    return found.identity.expires >= nowSeconds && isFor(found, target) ? found.identity : undefined;
  };

  function verify(token: string): Verified | undefined {
    try {
      const payload: unknown = verifiers.get(String(decode(token).header?.kid))?.(token);
      return Claims.safeParse(payload).data;
    } catch {
      return undefined;
    }
  }
}

function isFor({ identity, method, path }: Verified, target: ReceivedTarget): boolean {
  if (method !== headAsGet(target.method)) return false;
  return path === undefined ? identity.group === ANONYMOUS : path === normalPath(target.url);
}

/** Group of callers without known credentials. */
export const ANONYMOUS = 'anonymous';

/** HEAD has the rights of GET, and the gateway may send either for the other. */
function headAsGet(method: string): string {
  return method === 'HEAD' ? 'GET' : method;
}

/**
 * The path as HTTP clients send it: percent-encoded, without dots. Both sides use it, because clients on the way normalise too.
 * Undefined for a target that is no path, such as `*`.
 */
function normalPath(url: string): string | undefined {
  return url.startsWith('/') ? new URL(`http://service${url}`).pathname : undefined;
}

const Claims = Identity.omit({ expires: true })
  .extend({ exp: z.number().int(), method: z.string().optional(), path: z.string().optional() })
  .transform(({ exp, method, path, ...identity }) => ({ identity: { ...identity, expires: exp }, method, path }));
