import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { mediaType } from '@procurement/kit/http/body';
import type { IdempotencyAttempt } from './idempotency.store.ts';

/** What of a request makes it the same request when it comes again. */
export interface IdempotentRequest {
  readonly broker: string;
  /** As the client wrote it, without its query. */
  readonly path: string;
  /** Value of `Idempotency-Key`. */
  readonly key: string;
}

/** A request whose answer will be kept. */
export interface IdempotencyClaim extends IdempotentRequest {
  readonly attempt: IdempotencyAttempt;
  /** Signed into the identity that its service gets. */
  readonly seed: string;
}

// Printable ASCII: a longer or stranger key is a mistake of the client's, and is told rather than cut.
const KEY_PATTERN = /^[\x20-\x7e]{1,255}$/;

/** Whether a text can be an `Idempotency-Key`. */
export function isIdempotencyKey(text: string): boolean {
  return KEY_PATTERN.test(text);
}

/** Under which the answer is kept. The key itself is kept nowhere. */
export function keyHashOf({ broker, path, key }: IdempotentRequest): string {
  return createHash('sha256').update(`${broker}\n${path}\n${key}`).digest('hex');
}

/** A body as it came. */
export interface ReceivedBody {
  /** Absent when it is streamed on unread. */
  readonly bytes: Buffer | undefined;
  readonly contentType: string | undefined;
  readonly contentLength: string | undefined;
}

/**
 * Tells one body from another. A body that is streamed on is known by its media type and length only, without the parameters
 * of the type: forms have a new `boundary` at each sending. Keyed, because a plain hash of a bid would tell its amount to
 * whoever tries all of them.
 */
export function bodyHashOf(request: IdempotentRequest, { bytes, contentType, contentLength }: ReceivedBody): string {
  const hash = createHmac('sha256', deriveSecret(request, 'body of a request'));
  return hash.update(bytes ?? `${mediaType(contentType)}\n${contentLength ?? ''}`).digest('hex');
}

/**
 * From which services derive the ids and tokens of what the request creates: a repeat cannot create a second. Another one for
 * each first use of a key: after its day the same key creates anew, where the old seed would find the object of that day.
 */
export function creationSeed(keyHash: string, firstUsed: string, secret: string): string {
  return createHmac('sha256', secret).update(`creation ${keyHash} ${firstUsed}`).digest('hex');
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * An answer may hold an owner token, so it is stored only in a form that the broker's own key opens: encrypted under a key
 * derived from it, which is not stored. Whoever reads the table reads nothing.
 */
export function encryptResponse(text: string, request: IdempotentRequest): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', deriveSecret(request, 'answer kept for a repeat'), nonce);
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]);
}

/** The text again. Throws when it was sealed under another key, or changed since. */
export function decryptResponse(encrypted: Buffer, request: IdempotentRequest): string {
  const nonce = encrypted.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', deriveSecret(request, 'answer kept for a repeat'), nonce);
  decipher.setAuthTag(encrypted.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return decipher.update(encrypted.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}

function deriveSecret({ broker, path, key }: IdempotentRequest, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, `${broker}\n${path}`, purpose, 32));
}
