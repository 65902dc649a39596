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
    ['extra blanks', '  Bearer   broker1 ', 'broker1'],
    ['a key that is not ASCII', basic('ключ:'), 'ключ'],
  ])('reads the key from %s', (_what, header, key) => {
    expect(readCredentials(header)).toEqual({ kind: 'key', key });
  });

  it.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['Basic with an empty user', 'Basic Og=='],
    ['Basic without a value', 'Basic'],
    ['Bearer without a value', 'Bearer '],
  ])('reads %s as missing', (_what, header) => {
    expect(readCredentials(header)).toEqual({ kind: 'missing' });
  });

  it.each([
    ['another scheme', 'Digest username="broker1"'],
    ['malformed base64', 'Basic ***'],
    ['several words', 'Bearer one two'],
    ['a key longer than 512 characters', `Bearer ${'x'.repeat(600)}`],
  ])('reads %s as unreadable', (_what, header) => {
    expect(readCredentials(header)).toEqual({ kind: 'unreadable' });
  });
});
