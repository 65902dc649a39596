import type { Transform } from 'node:stream';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip, gzipSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

/** Codings in order of preference. */
const CODINGS = ['gzip', 'br'] as const;
export type ContentCoding = (typeof CODINGS)[number];

/** A shorter response fits into one or two packets, and compressing it costs more than it saves (http.md 5.8). */
export const COMPRESS_BYTES_MIN = 1_024;

// Fast settings: either shrinks a feed page to a fifth; the last few percent would cost three times the CPU time.
const GZIP = { level: 3 } as const;
/**
 * JSON of this size takes about 0.05 ms. A thread of the pool would take twice that in all, most of it for the 256 KiB of its
 * state, and the answer would wait for it. The smaller window fits the text, and changes the result by less than 1 %.
 */
const SMALL_BYTES_MAX = 16 * 1_024;
const GZIP_SMALL = { ...GZIP, windowBits: 13, memLevel: 6 } as const;
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } } as const;

const HEADERS_MAX = 100;
const HEADER_LENGTH_MAX = 200;

// Clients send few different headers. Parsing one takes 1.4 µs, finding it here 0.03.
const codingByHeader = new LRUCache<string, ContentCoding | 'identity'>({ max: HEADERS_MAX });

/**
 * The coding to use for this `Accept-Encoding`; undefined for none. gzip is preferred to br at any weight, as long as it is
 * accepted; `*` alone accepts neither.
 */
export function negotiateCoding(acceptEncoding: string | undefined): ContentCoding | undefined {
  if (acceptEncoding === undefined || acceptEncoding === '') return undefined;
  let coding = codingByHeader.get(acceptEncoding);
  if (coding === undefined) {
    const accepted = new Negotiator({ headers: { 'accept-encoding': acceptEncoding.toLowerCase() } }).encodings();
    coding = CODINGS.find((candidate) => accepted.includes(candidate)) ?? 'identity';
    if (acceptEncoding.length <= HEADER_LENGTH_MAX) codingByHeader.set(acceptEncoding, coding);
  }
  return coding === 'identity' ? undefined : coding;
}

/** True for JSON, JSONP and the pages: bytes of documents are never compressed. */
export function isCompressible(contentType: unknown): boolean {
  return (
    typeof contentType === 'string' &&
    /^(?:application\/(?:json|javascript)|text\/(?:html|css|javascript)|image\/svg\+xml)\b/.test(contentType)
  );
}

/** Compresses off the main thread what is not small. */
export function compress(
  text: string | Buffer,
  coding: ContentCoding,
  done: (error: Error | null, bytes: Buffer) => void,
): void {
  if (coding === 'br') brotliCompress(text, BROTLI, done);
  else if (Buffer.byteLength(text) > SMALL_BYTES_MAX) gzip(text, GZIP, done);
  else done(null, gzipSync(text, GZIP_SMALL));
}

/** Compresses a response while it arrives. */
export function compressionStream(coding: ContentCoding): Transform {
  return coding === 'gzip' ? createGzip(GZIP) : createBrotliCompress(BROTLI);
}
