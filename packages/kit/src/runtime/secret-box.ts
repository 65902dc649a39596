import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { sha256Hex } from './ids.ts';

/** A setting with keys of at least 32 characters, separated by commas: the first encrypts, all decrypt. */
export const secretKeys = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(z.string().min(32)).refine((keys) => new Set(keys).size === keys.length, 'a key is there twice'));

/** A secret as it is stored: nonce, tag and encrypted text. */
export interface SealedSecret {
  /** Id of the key in hex. */
  readonly keyId: string;
  readonly sealed: Buffer;
}

/** Encrypts secrets under the first of its keys, and decrypts under each of them. */
export interface SecretBox {
  /** Id of the key that encrypts, in hex. */
  readonly keyId: string;
  /** `owner` is authenticated and not stored: nobody else's secret opens in its place. Secrets with different salts have different keys. */
  seal(owner: string, secret: Buffer, salt?: string): SealedSecret;
  /** Throws when the key is not there any more, the secret is of another owner or salt, or its bytes were changed. */
  open(owner: string, sealed: SealedSecret, salt?: string): Buffer;
}

export interface SecretBoxPurpose {
  /** The setting with the keys, for messages. */
  readonly setting: string;
  /** The purpose: each has a key of its own, derived from each of the keys (`info` of HKDF, RFC 5869). */
  readonly info: string;
  /** Purpose of the key that names the keys; `info` when absent. */
  readonly keyIdInfo?: string;
}

export const KEY_ID_BYTES = 8;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Bytes that encryption adds to a secret, without the id of its key. */
export const SECRET_BYTES_ADDED = NONCE_BYTES + TAG_BYTES;
const KEY_BYTES = 32;
const CIPHER = 'aes-256-gcm';
/** Derived keys that are kept: deriving takes more than half of the time of opening a secret (28 of 48 us for 600 bytes). */
const DERIVED_MAX = 1_000;

export function makeSecretBox(
  keys: readonly string[],
  { setting, info, keyIdInfo = info }: SecretBoxPurpose,
): SecretBox {
  const byId = new Map(keys.map((key) => [hashKeyId(deriveKey(key, '', keyIdInfo)), key]));
  const [first] = byId;
  if (first === undefined) throw new Error(`${setting} has no key`);
  const [keyId] = first;
  const derived = new LRUCache<string, Buffer>({
    max: DERIVED_MAX,
    memoMethod: (place) => deriveKey(byId.get(place.slice(0, keyId.length)) ?? '', place.slice(keyId.length), info),
  });
  return {
    keyId,
    seal(owner, secret, salt = '') {
      // Random and never a counter, which a restored database would repeat.
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, derived.memo(keyId + salt), nonce).setAAD(Buffer.from(owner));
      const text = Buffer.concat([cipher.update(secret), cipher.final()]);
      return { keyId, sealed: Buffer.concat([nonce, cipher.getAuthTag(), text]) };
    },
    open(owner, { keyId: sealedUnder, sealed }, salt = '') {
      if (!byId.has(sealedUnder))
        throw new Error(`a secret is encrypted under key ${sealedUnder}, which ${setting} lacks`);
      const nonce = sealed.subarray(0, NONCE_BYTES);
      // Without this length a shorter tag, which is easier to guess, would do.
      const options = { authTagLength: TAG_BYTES };
      const decipher = createDecipheriv(CIPHER, derived.memo(sealedUnder + salt), nonce, options).setAAD(
        Buffer.from(owner),
      );
      decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
    },
  };
}

function deriveKey(key: string, salt: string, info: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, info, KEY_BYTES));
}

/** Names a key without revealing anything of it. */
function hashKeyId(key: Buffer): string {
  return sha256Hex(key).slice(0, 2 * KEY_ID_BYTES);
}
