import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** What of a request makes it the same request when it comes again. */
export interface Repeatable {
  readonly broker: string;
  /** As the client wrote it, without its query. */
  readonly path: string;
  /** Value of `Idempotency-Key`. */
  readonly key: string;
}

/** A request whose answer will be kept. */
export interface Keeping extends Repeatable {
  readonly keyHash: string;
  /** Signed into the identity that its service gets. */
  readonly seed: string;
}

// Printable ASCII: a longer or stranger key is a mistake of the client's, and is told rather than cut.
const FORM = /^[\x21-\x7e]{1,255}$/;

export function isIdempotencyKey(text: string): boolean {
  return FORM.test(text);
}

/** Under which the answer is kept. The key itself is kept nowhere. */
export function keyHashOf({ broker, path, key }: Repeatable): string {
  return createHash('sha256').update(`${broker}\n${path}\n${key}`).digest('hex');
}

/** Tells one body from another. A body that is streamed on is known by its type and length only. */
export function bodyHashOf(body: Buffer | undefined, contentType: string, contentLength: string): string {
  const hash = createHash('sha256');
  return (body === undefined ? hash.update(`${contentType}\n${contentLength}`) : hash.update(body)).digest('hex');
}

/** From which services derive the ids and tokens of what the request creates: a repeat cannot create a second. */
export function seedOf(keyHash: string, secret: string): string {
  return createHmac('sha256', secret).update(`creation ${keyHash}`).digest('hex');
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * An answer may hold an owner token, so it is stored only in a form that the broker's own key opens: encrypted under a key
 * derived from it, which is not stored. Whoever reads the table reads nothing.
 */
export function sealAnswer(text: string, repeatable: Repeatable): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', cipherKey(repeatable), nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** The text again. Throws when it was sealed under another key, or changed since. */
export function openAnswer(sealed: Buffer, repeatable: Repeatable): string {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', cipherKey(repeatable), nonce);
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}

function cipherKey({ broker, path, key }: Repeatable): Buffer {
  return Buffer.from(hkdfSync('sha256', key, `${broker}\n${path}`, 'answer kept for a repeat', 32));
}
