import { describe, expect, it } from 'vitest';
import { owns } from './ownership.ts';

const TOKEN_HASH = 'a1'.repeat(32);
const owned = { owner: 'broker1', tokenHash: TOKEN_HASH };

describe('owns', () => {
  it.each([
    ['the broker with its token', { broker: 'broker1', tokenHash: TOKEN_HASH }, true],
    ['another broker with the token', { broker: 'broker2', tokenHash: TOKEN_HASH }, false],
    ['the broker with another token', { broker: 'broker1', tokenHash: `b${TOKEN_HASH.slice(1)}` }, false],
    ['the broker with a prefix of the token', { broker: 'broker1', tokenHash: TOKEN_HASH.slice(0, 32) }, false],
    ['the broker without a token', { broker: 'broker1' }, false],
    ['an anonymous caller with the token', { tokenHash: TOKEN_HASH }, false],
  ])('%s: %j', (_who, actor, expected) => {
    expect(owns(actor, owned)).toBe(expected);
  });
});
