import { createHash } from 'node:crypto';
import { createDecoder, createSigner, createVerifier } from 'fast-jwt';
import { LRUCache } from 'lru-cache';
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

/** Signs an identity for one service (`audience`: its name) as a JWT with HS256. */
export type IdentitySigner = (identity: Identity, audience: string) => string;

/** The identity in a header; undefined when it is missing, expired, for another service, or signed with another secret. */
export type IdentityVerifier = (header: string | undefined, nowSeconds: number) => Identity | undefined;

const ISSUER = 'gateway';
const ALGORITHM = 'HS256';

/** Names a secret in the header of a token, so that a verifier with two secrets picks the right one. Reveals nothing of it. */
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

// The gateway reuses the signed anonymous identity for a second, so most reads carry a header seen before. Verifying it
// again costs 10 µs, a look-up 0.1 µs.
const VERIFIED_MAX = 512;

/**
 * `secrets`: all that are valid at present. Two while a secret is rotated: every service accepts the new one first, then the
 * gateway signs with it, then the old one goes (deploy/README.md).
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
        // Judged below by the caller's clock, for cached tokens too.
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
