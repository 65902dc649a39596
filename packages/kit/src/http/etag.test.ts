import { describe, expect, it } from 'vitest';
import { etagOf, namesEtag } from './etag.ts';

const ETAG = etagOf('{"data":{}}');

describe('etagOf', () => {
  it('differs for different answers, and is of segment 2.5', () => {
    expect(ETAG).toMatch(/^"[0-9a-f]{32}-2\.5"$/);
    expect(etagOf('{"data":{"a":1}}')).not.toBe(ETAG);
  });
});

describe('namesEtag', () => {
  it.each([ETAG, '*', ETAG.replace('-2.5', '-0.1'), `W/${ETAG}`, `"other-2.5", ${ETAG}`])('%s names it', (header) => {
    expect(namesEtag(header, ETAG)).toBe(true);
  });

  it.each(['', 'nonsense', '"other-2.5"', ETAG.slice(1, -1), etagOf('{}')])('"%s" does not', (header) => {
    expect(namesEtag(header, ETAG)).toBe(false);
  });
});
