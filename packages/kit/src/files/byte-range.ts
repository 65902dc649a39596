import type { ByteRange } from './read-file-url.ts';

/**
 * Reads a `Range` header for a file of `bytes` bytes: one range, `unsatisfiable`, or undefined for the whole file, which is also
 * the result for several ranges and for a malformed header (RFC 9110 14.2).
 */
export function byteRange(header: string | undefined, bytes: number): ByteRange | 'unsatisfiable' | undefined {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '');
  if (match === null || match[0] === 'bytes=-') return undefined;
  const [, first = '', last = ''] = match;
  // `-500` means the last 500 bytes.
  if (first === '') {
    const count = Math.min(Number(last), bytes);
    return count === 0 ? 'unsatisfiable' : { from: bytes - count, to: bytes - 1 };
  }
  const [from, to] = [Number(first), last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1)];
  if (last !== '' && Number(last) < from) return undefined;
  return from >= bytes ? 'unsatisfiable' : { from, to };
}
