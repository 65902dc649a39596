import { describe, expect, it } from 'vitest';
import { negotiateCoding, isCompressible } from './compression.ts';

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
    ['application/jsonx', false],
    ['application/pdf', false],
    [undefined, false],
  ])('of %j is %j', (type, expected) => {
    expect(isCompressible(type)).toBe(expected);
  });
});
