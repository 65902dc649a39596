import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  hashBody,
  isIdempotencyKey,
  hashKey,
  decryptResponse,
  encryptResponse,
  creationSeed,
  type ReceivedBody,
} from './idempotency-key.ts';

function hashReceived(body: Partial<ReceivedBody>, of = request): string {
  return hashBody(of, { bytes: undefined, contentType: undefined, contentLength: undefined, ...body });
}

const request = { broker: 'broker1', path: '/api/2.5/tenders', key: 'a key' };

describe('isIdempotencyKey', () => {
  it.each([
    ['7f9c24e8-3b12-4f7a-9d51-2c8f0e6b1a47', true],
    ['x'.repeat(255), true],
    ['', false],
    ['x'.repeat(256), false],
    ['bid 17 of ~ours', true],
    ['a\tb', false],
    ['ключ', false],
  ])('of %j is %j', (text, expected) => {
    expect(isIdempotencyKey(text)).toBe(expected);
  });
});

describe('hashKey', () => {
  it('differs by broker, path and key', () => {
    const all = [request, { ...request, broker: 'broker2' }, { ...request, path: '/x' }, { ...request, key: 'b' }];
    expect(new Set(all.map(hashKey)).size).toBe(4);
    expect(hashKey({ ...request })).toBe(hashKey(request));
  });
});

describe('creationSeed', () => {
  it('is equal for the same first use, and differs by first use and by secret', () => {
    expect(creationSeed('h', '1.5', 'one')).toBe(creationSeed('h', '1.5', 'one'));
    expect(
      new Set([creationSeed('h', '1.5', 'one'), creationSeed('h', '2.5', 'one'), creationSeed('h', '1.5', 'other')])
        .size,
    ).toBe(3);
  });
});

describe('hashBody', () => {
  it('differs by body', () => {
    expect(hashReceived({ bytes: Buffer.from('a') })).toBe(hashReceived({ bytes: Buffer.from('a') }));
    expect(hashReceived({ bytes: Buffer.from('a') })).not.toBe(hashReceived({ bytes: Buffer.from('b') }));
  });

  it('compares streamed bodies by media type and length, without the boundary of a form', () => {
    const form = { contentType: 'multipart/form-data; boundary=one', contentLength: '9' };
    expect(hashReceived(form)).toBe(hashReceived({ ...form, contentType: 'multipart/form-data; boundary=two' }));
    expect(hashReceived(form)).not.toBe(hashReceived({ ...form, contentLength: '10' }));
    expect(hashReceived(form)).not.toBe(hashReceived({ ...form, contentType: 'application/pdf' }));
  });

  it('depends on the key, so that a body cannot be found by trying all amounts', () => {
    const bytes = Buffer.from('{"data":{"value":{"amount":400}}}');
    expect(hashReceived({ bytes })).not.toBe(hashReceived({ bytes }, { ...request, key: 'another' }));
    expect(hashReceived({ bytes })).not.toBe(createHash('sha256').update(bytes).digest('hex'));
  });
});

describe('encryptResponse', () => {
  const text = '{"access":{"token":"secret"},"data":{"title":"Папір"}}';

  it('is decrypted by its own key only', () => {
    const encrypted = encryptResponse(text, request);
    expect(decryptResponse(encrypted, request)).toBe(text);
    expect(encrypted.toString('latin1')).not.toContain('secret');
    expect(() => decryptResponse(encrypted, { ...request, key: 'another' })).toThrow(/authenticate/);
  });

  it('detects a change', () => {
    const encrypted = encryptResponse(text, request);
    encrypted[encrypted.length - 1] = (encrypted.at(-1) ?? 0) ^ 1;
    expect(() => decryptResponse(encrypted, request)).toThrow(/authenticate/);
  });
});
