import { createHash } from 'node:crypto';
import { createDecoder, createSigner, createVerifier } from 'fast-jwt';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';

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

/** Signs an identity as a JWT (HS256) for one service; `audience` is its name. */
export type IdentitySigner = (identity: Identity, audience: string) => string;

/** Returns the identity in a header; undefined when it is missing, invalid, expired, or signed for another service. */
export type IdentityVerifier = (header: string | undefined, nowSeconds: number) => Identity | undefined;

const ISSUER = 'gateway';
const ALGORITHM = 'HS256';

/** Key id in the token's header, by which a verifier with two secrets selects one. A hash, so it does not reveal the secret. */
function keyId(secret: string): string {
  return createHash('sha256').update(`identity ${secret}`).digest('hex').slice(0, 16);
}

export function makeIdentitySigner(secret: string): IdentitySigner {
  const signers = new Map<string, (payload: object) => string>();
  const signerFor = (audience: string): ((payload: object) => string) => {
    const known = signers.get(audience);
    if (known !== undefined) return known;
    const made = createSigner({
      key: secret,
      algorithm: ALGORITHM,
      kid: keyId(secret),
      iss: ISSUER,
      aud: audience,
      noTimestamp: true,
    });
    signers.set(audience, made);
    return made;
  };
  return ({ expires, ...claims }, audience) => signerFor(audience)({ ...claims, exp: expires });
}

// The gateway reuses the signed anonymous identity for a second, so most reads carry a header verified before. Verifying
// costs 10 µs, a look-up 0.1 µs.
const VERIFIED_MAX = 512;

/**
 * `secrets`: all valid secrets. During a rotation there are two: first every service accepts the new one, then the gateway
 * signs with it, then the old one is removed (deploy/README.md).
 */
export function makeIdentityVerifier(secrets: readonly string[], audience: string): IdentityVerifier {
  const decode = createDecoder({ complete: true });
  const verifiers = new Map(
    secrets.map((secret) => [
      keyId(secret),
      createVerifier({
        key: secret,
        algorithms: [ALGORITHM],
        allowedIss: ISSUER,
        allowedAud: audience,
        requiredClaims: ['exp', 'iss', 'aud'],
        // Checked below against `nowSeconds`, for cached tokens too.
        ignoreExpiration: true,
      }),
    ]),
  );
  const verified = new LRUCache<string, Identity>({ max: VERIFIED_MAX });
  return (header, nowSeconds) => {
    if (header === undefined) return undefined;
    let identity = verified.get(header);
    if (identity === undefined) {
      identity = verify(header);
      if (identity === undefined) return undefined;
      verified.set(header, identity);
    }
    return identity.expires >= nowSeconds ? identity : undefined;
  };

  function verify(token: string): Identity | undefined {
    try {
      const kid: unknown = decode(token).header?.kid;
      const payload: unknown = verifiers.get(String(kid))?.(token);
      return Claims.safeParse(payload).data;
    } catch {
      return undefined;
    }
  }
}

const Claims = Identity.omit({ expires: true })
  .extend({ exp: z.number().int() })
  .transform(({ exp, ...identity }): Identity => ({ ...identity, expires: exp }));
