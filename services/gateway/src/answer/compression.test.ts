import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { compress, negotiateCoding, isCompressible } from './compression.ts';

describe('negotiateCoding', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['br', 'br'],
    ['deflate, br;q=0.9, gzip;q=0.1', 'gzip'],
    ['gzip;q=0', undefined],
    ['gzip;q=0, br', 'br'],
    ['gzip;q=x', undefined],
    ['*', undefined],
    ['br;q=1, gzip;q=0.5', 'gzip'],
    ['gzip, deflate, br, zstd', 'gzip'],
    [`${'x'.repeat(300)}, br`, 'br'],
    ['gzip;;q=, ,\u0000=', 'gzip'],
  ])('of %j is %j', (header, coding) => {
    expect(negotiateCoding(header)).toBe(coding);
    // Again, from the cache.
    expect(negotiateCoding(header)).toBe(coding);
  });
});

describe('isCompressible', () => {
  it.each([
    ['application/json; charset=UTF-8', true],
    ['application/javascript; charset=UTF-8', true],
    ['text/html; charset=UTF-8', true],
    ['text/css; charset=utf-8', true],
    ['text/event-stream', false],
    ['application/jsonx', false],
    ['application/pdf', false],
    [undefined, false],
  ])('of %j is %j', (type, expected) => {
    expect(isCompressible(type)).toBe(expected);
  });
});

describe('compress', () => {
  const expand = { gzip: gunzipSync, br: brotliDecompressSync } as const;
  it.each([
    ['gzip', 1_025],
    ['gzip', 16 * 1_024],
    ['gzip', 16 * 1_024 + 1],
    ['br', 1_025],
  ] as const)('%s of %d bytes gives them back', async (coding, length) => {
    const text = 'ї"a'.repeat(length).slice(0, length);
    const bytes = await new Promise<Buffer>((resolve, reject) =>
      compress(Buffer.from(text), coding, (error, compressed) =>
        error === null ? resolve(compressed) : reject(error),
      ),
    );
    expect(expand[coding](bytes).toString()).toBe(text);
  });
});
