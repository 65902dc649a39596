import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { mediaType } from '@procurement/kit/http/body';
import type { IdempotentRequest } from '../request/idempotency-claim.ts';

// Printable ASCII. Any other key is refused, not cut.
const KEY_PATTERN = /^[\x20-\x7e]{1,255}$/;

/** True for a valid `Idempotency-Key`. */
export function isIdempotencyKey(text: string): boolean {
  return KEY_PATTERN.test(text);
}

/** Primary key of the stored response. The `Idempotency-Key` itself is not stored (decision 0017). */
export function hashKey({ broker, path, key }: IdempotentRequest): string {
  return createHash('sha256').update(`${broker}\n${path}\n${key}`).digest('hex');
}

/** A body as received. */
export interface ReceivedBody {
  /** Absent when the body is streamed to the service unread. */
  readonly bytes: Buffer | undefined;
  readonly contentType: string | undefined;
  readonly contentLength: string | undefined;
}

/**
 * Hash by which bodies are compared. Of a streamed body only media type and length count, without the parameters of the type,
 * because a form has a new `boundary` in each request. The hash is keyed: from a plain hash of a bid its amount could be found by
 * trying all amounts (decision 0017).
 */
export function hashBody(request: IdempotentRequest, { bytes, contentType, contentLength }: ReceivedBody): string {
  const hash = createHmac('sha256', deriveSecret(request, 'body of a request'));
  return hash.update(bytes ?? `${mediaType(contentType)}\n${contentLength ?? ''}`).digest('hex');
}

/**
 * Seed from which services derive the ids and tokens of what the request creates, so that a repeat cannot create a second object.
 * It depends on the first use of the key: 24 hours later the same key creates a new object (decision 0017).
 */
export function creationSeed(keyHash: string, firstUsed: string, secret: string): string {
  return createHmac('sha256', secret).update(`creation ${keyHash} ${firstUsed}`).digest('hex');
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts a response for the table. It may contain an owner token, so the key is derived from the broker's `Idempotency-Key`,
 * which is not stored: the table alone does not reveal a response.
 */
export function encryptResponse(text: string, request: IdempotentRequest): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', deriveSecret(request, 'answer kept for a repeat'), nonce);
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]);
}

/** Decrypts a stored response. Throws when it was encrypted under another key or changed. */
export function decryptResponse(encrypted: Buffer, request: IdempotentRequest): string {
  const nonce = encrypted.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', deriveSecret(request, 'answer kept for a repeat'), nonce);
  decipher.setAuthTag(encrypted.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return decipher.update(encrypted.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}

function deriveSecret({ broker, path, key }: IdempotentRequest, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, `${broker}\n${path}`, purpose, 32));
}
