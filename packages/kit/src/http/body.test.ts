import { describe, expect, it } from 'vitest';
import { COMMAS_MAX, DEPTH_MAX, isTooComplex, readJsonBody } from './body.ts';

const bytes = (text: string): Buffer => Buffer.from(text);
const refusal = (contentType: string | undefined, body: unknown): string => {
  const reading = readJsonBody(contentType, body);
  return reading.kind === 'refused' ? reading.problem.code : 'accepted';
};

describe('readJsonBody', () => {
  it.each([
    ['application/json', '{"data":{}}'],
    ['Application/JSON; charset=utf-8', '{"data":{"a":1},"access":{"token":"x"},"config":{}}'],
  ])('accepts %s with %s', (contentType, text) => {
    expect(refusal(contentType, bytes(text))).toBe('accepted');
  });

  it('tolerates a byte-order mark, and takes the last of duplicate members', () => {
    expect(readJsonBody('application/json', bytes('\uFEFF{"data":{"a":1,"a":2},"config":{"b":1}}'))).toEqual({
      kind: 'data',
      data: { a: 2 },
      beside: { config: { b: 1 } },
    });
  });

  it.each([
    ['text/plain', bytes('{"data":{}}'), 'request.content-type'],
    [undefined, bytes('{"data":{}}'), 'request.content-type'],
    ['application/json', undefined, 'body.unreadable'],
    ['application/json', bytes(''), 'body.unreadable'],
    ['application/json', bytes('{'), 'body.unreadable'],
    ['application/json', Buffer.from([0x22, 0xff, 0x22]), 'body.unreadable'],
    ['application/json', bytes(`${'['.repeat(100_000)}${']'.repeat(100_000)}`), 'body.unreadable'],
    ['application/json', bytes('"data"'), 'body.no-data'],
    ['application/json', bytes('{"data":[]}'), 'body.no-data'],
    ['application/json', bytes('{"data":null}'), 'body.no-data'],
    ['application/json', bytes('{}'), 'body.no-data'],
  ])('refuses %s with %s', (contentType, body, code) => {
    expect(refusal(contentType, body)).toBe(code);
  });
});

describe('readJsonBody of a refusal that a codec made', () => {
  it('returns the refusal unchanged', () => {
    const problem = {
      code: 'body.invalid',
      status: 422,
      errors: [{ location: 'body', name: 'x', description: ['y'] }],
    };
    const body = bytes(JSON.stringify(problem));
    expect(readJsonBody('application/vnd.procurement.refusal+json', body)).toEqual({ kind: 'refused', problem });
  });
});

describe('isTooComplex', () => {
  it('counts open brackets outside strings', () => {
    expect(isTooComplex('['.repeat(DEPTH_MAX) + ']'.repeat(DEPTH_MAX))).toBe(false);
    expect(isTooComplex('['.repeat(DEPTH_MAX + 1))).toBe(true);
    expect(isTooComplex(JSON.stringify({ a: '['.repeat(1_000) }))).toBe(false);
    expect(isTooComplex('"\\"' + '['.repeat(1_000) + '"')).toBe(false);
  });

  it('counts commas outside strings', () => {
    expect(isTooComplex(`[${'0,'.repeat(COMMAS_MAX)}0]`)).toBe(false);
    expect(isTooComplex(`[${'0,'.repeat(COMMAS_MAX + 1)}0]`)).toBe(true);
    expect(isTooComplex(JSON.stringify(','.repeat(COMMAS_MAX + 1)))).toBe(false);
    expect(refusal('application/json', bytes(`{"data":{"a":[${'0,'.repeat(COMMAS_MAX + 1)}0]}}`))).toBe(
      'body.unreadable',
    );
  });
});
