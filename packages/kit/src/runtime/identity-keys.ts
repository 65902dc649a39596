import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { z } from 'zod';

/** The private key of a PKCS #8 text in base64, as PEM. */
export function privateKeyPem(text: string): string {
  return readPrivateKey(text).export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** The public key of an SPKI text in base64, as PEM. */
export function publicKeyPem(text: string): string {
  return readPublicKey(text).export({ type: 'spki', format: 'pem' }).toString();
}

/** The public key of a private key, as SPKI text in base64. */
export function publicKeyOf(privateKey: string): string {
  return createPublicKey(readPrivateKey(privateKey)).export({ type: 'spki', format: 'der' }).toString('base64');
}

/** The private key of a PKCS #8 text in base64. */
export function readPrivateKey(text: string): KeyObject {
  return createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' });
}

function readPublicKey(text: string): KeyObject {
  return createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
}

/** The setting of a private key. A bad one is refused without being shown. */
export const privateKeySetting = z.string().refine((text) => isEd25519(() => readPrivateKey(text)), {
  message: 'not an Ed25519 private key (PKCS #8 in base64)',
});

/** Two during a change of the key. */
const SIGNING_KEYS_MAX = 2;

/** The setting of one or two private keys, separated by a comma. */
export const privateKeysSetting = z
  .string()
  .transform((list) => list.split(',').filter((key) => key !== ''))
  .pipe(z.array(privateKeySetting).min(1).max(SIGNING_KEYS_MAX));

/** The setting of one or two public keys, separated by a comma. */
export const publicKeysSetting = z
  .string()
  .transform((list) => list.split(',').filter((key) => key !== ''))
  .refine((keys) => keys.length > 0 && keys.every((key) => isEd25519(() => readPublicKey(key))), {
    message: 'not a list of Ed25519 public keys (SPKI in base64)',
  });

function isEd25519(read: () => KeyObject): boolean {
  try {
    return read().asymmetricKeyType === 'ed25519';
  } catch {
    return false;
  }
}
