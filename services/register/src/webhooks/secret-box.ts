import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

/** A secret as it is stored. */
export interface SealedSecret {
  readonly keyId: string;
  readonly sealed: Buffer;
}

/** Encrypts secrets under the first of `REGISTER_KEYS`, and decrypts under each of them (register.md 5.7). */
export interface SecretBox {
  /** Id of the key that encrypts. */
  readonly keyId: string;
  seal(webhook: string, secret: Buffer): SealedSecret;
  /** Throws when the key is not there any more, or the row is of another webhook. */
  open(webhook: string, sealed: SealedSecret): Buffer;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const CIPHER = 'aes-256-gcm';

/** The keys sign cursors as well, so that another key is derived from each. */
export function makeSecretBox(keys: readonly string[]): SecretBox {
  const derived = keys.map((key) => Buffer.from(hkdfSync('sha256', key, '', 'webhook secrets', KEY_BYTES)));
  const byId = new Map(derived.map((key) => [idOf(key), key]));
  const [first] = derived;
  if (first === undefined) throw new Error('REGISTER_KEYS has no key');
  return {
    keyId: idOf(first),
    seal(webhook, secret) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, first, nonce).setAAD(Buffer.from(webhook));
      const text = Buffer.concat([cipher.update(secret), cipher.final()]);
      return { keyId: idOf(first), sealed: Buffer.concat([nonce, cipher.getAuthTag(), text]) };
    },
    open(webhook, { keyId, sealed }) {
      const key = byId.get(keyId);
      if (key === undefined) throw new Error(`a secret is encrypted under key ${keyId}, which REGISTER_KEYS lacks`);
      const nonce = sealed.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv(CIPHER, key, nonce).setAAD(Buffer.from(webhook));
      decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
    },
  };
}

/** Names a key without revealing anything of it. */
function idOf(key: Buffer): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 16);
}
