import type { ByteRange } from '../files/read-file-url.ts';

/**
 * What a `Range` header asks of a file of that many bytes: one range, `unsatisfiable`, or undefined for the whole file, which
 * is also the answer to several ranges and to what is no range (RFC 9110 14.2).
 */
export function byteRange(header: string | undefined, bytes: number): ByteRange | 'unsatisfiable' | undefined {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '');
  if (match === null || match[0] === 'bytes=-') return undefined;
  const [, first = '', last = ''] = match;
  // `-500` are the last 500 bytes.
  if (first === '') {
    const count = Math.min(Number(last), bytes);
    return count === 0 ? 'unsatisfiable' : { from: bytes - count, to: bytes - 1 };
  }
  const [from, to] = [Number(first), last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1)];
  if (last !== '' && Number(last) < from) return undefined;
  return from >= bytes ? 'unsatisfiable' : { from, to };
}
