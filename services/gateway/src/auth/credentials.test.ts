import { describe, expect, it } from 'vitest';
import { readCredentials } from './credentials.ts';

const basic = (pair: string): string => `Basic ${Buffer.from(pair).toString('base64')}`;

describe('readCredentials', () => {
  it.each([
    ['Basic with an empty password', basic('broker1:'), 'broker1'],
    ['Basic with any password', basic('broker1:secret:with:colons'), 'broker1'],
    ['Basic without a colon', basic('broker1'), 'broker1'],
    ['Bearer', 'Bearer broker1', 'broker1'],
    ['a scheme in another case', 'bearer broker1', 'broker1'],
    ['more blanks than needed', '  Bearer   broker1 ', 'broker1'],
    ['a key that is not ASCII', basic('ключ:'), 'ключ'],
  ])('reads the key of %s', (_what, header, key) => {
    expect(readCredentials(header)).toEqual({ kind: 'key', key });
  });

  it.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['Basic with an empty user', 'Basic Og=='],
    ['Basic with nothing', 'Basic'],
    ['Bearer with nothing', 'Bearer '],
  ])('takes %s for no credentials', (_what, header) => {
    expect(readCredentials(header)).toEqual({ kind: 'missing' });
  });

  it.each([
    ['another scheme', 'Digest username="broker1"'],
    ['malformed base64', 'Basic ***'],
    ['several words', 'Bearer one two'],
    ['an endless key', `Bearer ${'x'.repeat(600)}`],
  ])('cannot read %s', (_what, header) => {
    expect(readCredentials(header)).toEqual({ kind: 'unreadable' });
  });
});
