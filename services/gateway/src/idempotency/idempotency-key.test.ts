import { describe, expect, it } from 'vitest';
import { bodyHashOf, isIdempotencyKey, keyHashOf, openAnswer, sealAnswer, seedOf } from './idempotency-key.ts';

const request = { broker: 'broker1', path: '/api/2.5/tenders', key: 'a key' };

describe('Idempotency-Key', () => {
  it.each([
    ['7f9c24e8-3b12-4f7a-9d51-2c8f0e6b1a47', true],
    ['x'.repeat(255), true],
    ['', false],
    ['x'.repeat(256), false],
    ['a b', false],
    ['ключ', false],
  ])('%s: %s', (text, expected) => {
    expect(isIdempotencyKey(text)).toBe(expected);
  });

  it('belongs to one broker and one path', () => {
    const all = [request, { ...request, broker: 'broker2' }, { ...request, path: '/x' }, { ...request, key: 'b' }];
    expect(new Set(all.map(keyHashOf)).size).toBe(4);
    expect(keyHashOf({ ...request })).toBe(keyHashOf(request));
  });

  it('gives the same seed for the same request, and nobody can guess it', () => {
    expect(seedOf('h', 'one')).toBe(seedOf('h', 'one'));
    expect(seedOf('h', 'one')).not.toBe(seedOf('h', 'other'));
  });

  it('tells bodies apart, streamed ones by what their headers say', () => {
    expect(bodyHashOf(Buffer.from('a'), 't', '1')).not.toBe(bodyHashOf(Buffer.from('b'), 't', '1'));
    expect(bodyHashOf(undefined, 't', '1')).not.toBe(bodyHashOf(undefined, 't', '2'));
  });
});

describe('a sealed answer', () => {
  const text = '{"access":{"token":"secret"},"data":{"title":"Папір"}}';

  it('is opened by the key that it was sealed with, and by no other', () => {
    const sealed = sealAnswer(text, request);
    expect(openAnswer(sealed, request)).toBe(text);
    expect(sealed.toString('latin1')).not.toContain('secret');
    expect(() => openAnswer(sealed, { ...request, key: 'another' })).toThrow(/authenticate/);
  });

  it('is told from one that was changed', () => {
    const sealed = sealAnswer(text, request);
    sealed[sealed.length - 1] = (sealed.at(-1) ?? 0) ^ 1;
    expect(() => openAnswer(sealed, request)).toThrow(/authenticate/);
  });
});
