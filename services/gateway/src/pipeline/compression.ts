import type { Transform } from 'node:stream';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';

export type ContentCoding = 'gzip' | 'br';

/** Below this an answer fits one packet or two, and compressing it costs more than it saves (http.md 5.8). */
export const COMPRESS_BYTES_MIN = 1_024;

// Fast settings: a feed page shrinks to a fifth with either, and the last percents would cost three times the processor.
const GZIP = { level: 3 } as const;
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } } as const;

/** The coding to use for a client that says this in `Accept-Encoding`; undefined for none. */
export function negotiateCoding(acceptEncoding: string | undefined): ContentCoding | undefined {
  if (acceptEncoding === undefined) return undefined;
  const accepted = new Map(acceptEncoding.split(',').map(parseCoding));
  if ((accepted.get('gzip') ?? 0) > 0) return 'gzip';
  return (accepted.get('br') ?? 0) > 0 ? 'br' : undefined;
}

function parseCoding(part: string): [string, number] {
  const [name = '', ...parameters] = part
    .trim()
    .toLowerCase()
    .split(/\s*;\s*/);
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  return [name, weight === undefined ? 1 : Number(weight.slice(2)) || 0];
}

/** JSON and its JSONP form only: bytes of documents are never touched. */
export function isCompressible(contentType: unknown): boolean {
  return typeof contentType === 'string' && /^application\/(?:json|javascript)\b/.test(contentType);
}

/** Compresses off the main thread; calls back with the bytes. */
export function compress(
  text: string | Buffer,
  coding: ContentCoding,
  done: (error: Error | null, bytes: Buffer) => void,
): void {
  if (coding === 'gzip') gzip(text, GZIP, done);
  else brotliCompress(text, BROTLI, done);
}

/** The same for an answer that is still arriving. */
export function compressionStream(coding: ContentCoding): Transform {
  return coding === 'gzip' ? createGzip(GZIP) : createBrotliCompress(BROTLI);
}
