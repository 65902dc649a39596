import { describe, expect, it } from 'vitest';
import { keyOf } from './file-key.ts';

describe('keyOf', () => {
  it('makes a key of our own ids only', () => {
    expect(keyOf('0af0'.padEnd(32, '0'))).toBe(`files/0a/${'0af0'.padEnd(32, '0')}`);
    expect(() => keyOf('../../etc/passwd')).toThrow('invalid file id');
  });
});
