import { describe, expect, it } from 'vitest';
import { fileKeyOf } from './file-key.ts';

describe('fileKeyOf', () => {
  it('makes a key of our own ids only', () => {
    expect(fileKeyOf('0af0'.padEnd(32, '0'))).toBe(`files/0a/${'0af0'.padEnd(32, '0')}`);
    expect(() => fileKeyOf('../../etc/passwd')).toThrow('invalid file id');
  });
});
