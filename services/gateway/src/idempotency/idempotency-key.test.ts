import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  bodyHashOf,
  isIdempotencyKey,
  keyHashOf,
  decryptResponse,
  encryptResponse,
  creationSeed,
  type ReceivedBody,
} from './idempotency-key.ts';

function hashOf(sent: Partial<ReceivedBody>, of = request): string {
  return bodyHashOf(of, { bytes: undefined, contentType: undefined, contentLength: undefined, ...sent });
}

const request = { broker: 'broker1', path: '/api/2.5/tenders', key: 'a key' };

describe('Idempotency-Key', () => {
  it.each([
    ['7f9c24e8-3b12-4f7a-9d51-2c8f0e6b1a47', true],
    ['x'.repeat(255), true],
    ['', false],
    ['x'.repeat(256), false],
    ['bid 17 of ~ours', true],
    ['a\tb', false],
    ['ключ', false],
  ])('%s: %s', (text, expected) => {
    expect(isIdempotencyKey(text)).toBe(expected);
  });

  it('belongs to one broker and one path', () => {
    const all = [request, { ...request, broker: 'broker2' }, { ...request, path: '/x' }, { ...request, key: 'b' }];
    expect(new Set(all.map(keyHashOf)).size).toBe(4);
    expect(keyHashOf({ ...request })).toBe(keyHashOf(request));
  });

  it('gives the same seed for the same request, another after its day, and nobody can guess it', () => {
    expect(creationSeed('h', '1.5', 'one')).toBe(creationSeed('h', '1.5', 'one'));
    expect(
      new Set([creationSeed('h', '1.5', 'one'), creationSeed('h', '2.5', 'one'), creationSeed('h', '1.5', 'other')])
        .size,
    ).toBe(3);
  });

  it('tells bodies apart', () => {
    expect(hashOf({ bytes: Buffer.from('a') })).toBe(hashOf({ bytes: Buffer.from('a') }));
    expect(hashOf({ bytes: Buffer.from('a') })).not.toBe(hashOf({ bytes: Buffer.from('b') }));
  });

  it('tells streamed bodies apart by what their headers say, whatever separates the parts of a form', () => {
    const form = { contentType: 'multipart/form-data; boundary=one', contentLength: '9' };
    expect(hashOf(form)).toBe(hashOf({ ...form, contentType: 'multipart/form-data; boundary=two' }));
    expect(hashOf(form)).not.toBe(hashOf({ ...form, contentLength: '10' }));
    expect(hashOf(form)).not.toBe(hashOf({ ...form, contentType: 'application/pdf' }));
  });

  it('keeps a body from being found by trying all amounts: its hash needs the key', () => {
    const bytes = Buffer.from('{"data":{"value":{"amount":400}}}');
    expect(hashOf({ bytes })).not.toBe(hashOf({ bytes }, { ...request, key: 'another' }));
    expect(hashOf({ bytes })).not.toBe(createHash('sha256').update(bytes).digest('hex'));
  });
});

describe('a sealed answer', () => {
  const text = '{"access":{"token":"secret"},"data":{"title":"Папір"}}';

  it('is opened by the key that it was sealed with, and by no other', () => {
    const sealed = encryptResponse(text, request);
    expect(decryptResponse(sealed, request)).toBe(text);
    expect(sealed.toString('latin1')).not.toContain('secret');
    expect(() => decryptResponse(sealed, { ...request, key: 'another' })).toThrow(/authenticate/);
  });

  it('is told from one that was changed', () => {
    const sealed = encryptResponse(text, request);
    sealed[sealed.length - 1] = (sealed.at(-1) ?? 0) ^ 1;
    expect(() => decryptResponse(sealed, request)).toThrow(/authenticate/);
  });
});
