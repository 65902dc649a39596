import { describe, expect, it } from 'vitest';
import { readEdge, writeEdge } from './edge-file.ts';

describe('the edge file', () => {
  it('has the size and the entries of the open bundle', () => {
    const bytes = writeEdge({ size: 258, entries: ['one\n', 'two\n'] });
    expect(readEdge(bytes)).toEqual({ size: 258, entries: [Buffer.from('one\n'), Buffer.from('two\n')] });
  });

  it.each(['', '258', 'x\n', '0258\n', '258\n\u0000\u0009abc'])('refuses %j', (text) => {
    expect(readEdge(Buffer.from(text))).toBeUndefined();
  });
});
