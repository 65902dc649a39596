import { hash } from 'node:crypto';

/** Length of a SHA-256 in bytes. */
export const HASH_BYTES = 32;

/** Returns the SHA-256 of the parts, one after the other; text counts as UTF-8. One call is a third faster than an object that is updated. */
export function sha256(...parts: readonly (Uint8Array | string)[]): Buffer {
  const bytes = parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part));
  return hash('sha256', Buffer.concat(bytes), 'buffer');
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns the text of the bytes; undefined where they are no UTF-8. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Decodes standard base64 with padding. Returns undefined for any other spelling of the same bytes. */
export function bytesOfBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return text !== '' && bytes.toString('base64') === text ? bytes : undefined;
}
