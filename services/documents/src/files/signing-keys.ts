import { createPrivateKey, createPublicKey, hkdfSync, sign, verify, type KeyObject } from 'node:crypto';

// DER prefixes of the 32 bytes of an ed25519 key (RFC 8410).
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** A key that verifies signatures. */
export interface PublicKey {
  /** First 8 hex digits: the `KeyID` of addresses. */
  readonly id: string;
  verifies(text: string, signature: Buffer): boolean;
}

/** A key that makes signatures as well. */
export interface SigningKey extends PublicKey {
  /** Standard base64. */
  sign(text: string): string;
}

/** The ed25519 key of a seed of 32 bytes in hex (http.md 2.8). */
export function signingKey(seedHex: string): SigningKey {
  const der = Buffer.concat([PRIVATE_PREFIX, Buffer.from(seedHex, 'hex')]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  return {
    ...makeVerifier(createPublicKey(key)),
    sign: (text) => sign(null, Buffer.from(text), key).toString('base64'),
  };
}

/** The public key of a former signing key: 32 bytes in hex. */
export function publicKey(hex: string): PublicKey {
  const der = Buffer.concat([PUBLIC_PREFIX, Buffer.from(hex, 'hex')]);
  return makeVerifier(createPublicKey({ key: der, format: 'der', type: 'spki' }));
}

function makeVerifier(key: KeyObject): PublicKey {
  const raw = key.export({ format: 'der', type: 'spki' }).subarray(PUBLIC_PREFIX.length);
  return {
    id: raw.toString('hex').slice(0, 8),
    verifies: (text, signature) => signature.length === 64 && verify(null, Buffer.from(text), key, signature),
  };
}

/** Derives a seed of 32 bytes in hex for one purpose from a secret; equal in every replica. */
export function derivedSeed(secret: string, purpose: string): string {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, 32)).toString('hex');
}
