import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodyText, expectCheap, hostileBodies } from '../../test-support/hostile-bodies.ts';
import { selectOwnerToken, extractBodyExtras, extractTokenParameter, redactQuery } from './owner-token.ts';

describe('extractTokenParameter', () => {
  it.each([
    ['', '', []],
    ['limit=1&mode=_all_', 'limit=1&mode=_all_', []],
    ['acc_token=T', '', ['T']],
    ['a=1&acc_token=T&b=2', 'a=1&b=2', ['T']],
    ['acc_token=first&acc_token=last', '', ['first', 'last']],
    ['acc%5Ftoken=T&a=%D1%8F', 'a=%D1%8F', ['T']],
    ['acc_token', '', ['']],
    ['access=1', 'access=1', []],
    ['acc_token=%zz', '', ['%zz']],
  ])('%j leaves the query %j and takes %j', (query, remaining, taken) => {
    expect(extractTokenParameter(query)).toEqual({ query: remaining, taken });
  });
});

describe('redactQuery', () => {
  it('removes the owner token and the signature, also under escaped names', () => {
    expect(redactQuery('a=1&acc_token=T&Signature=S&acc%5Ftoken=U&KeyID=k')).toBe('a=1&KeyID=k');
  });
});

describe('selectOwnerToken', () => {
  it.each([
    [['Q'], 'H', 'B', 'Q'],
    [['first', 'last'], 'H', 'B', 'last'],
    [[''], 'H', 'B', 'H'],
    [[], '', 'B', 'B'],
    [[], undefined, undefined, undefined],
    [['Q', ''], 'H', undefined, 'H'],
  ])('query %j, header %j, body %j gives %j', (query, header, body, expected) => {
    expect(selectOwnerToken(query, header, body)).toBe(expected);
  });
});

describe('extractBodyExtras', () => {
  const extract = (text: string) => extractBodyExtras(Buffer.from(text));

  it.each([
    ['{"data":{"value":{"amount":500.0}}}'],
    ['{"data": {"access": '],
    ['not json, though it says "access"'],
    ['["access"]'],
    [''],
    ['{"access"}'],
  ])('returns %j untouched', (text) => {
    expect(extract(text).body.toString()).toBe(text);
    expect(extract(text).token).toBeUndefined();
  });

  it('takes the token and keeps every other byte', () => {
    const { token, body } = extract('{"access": {"token": "T"}, "data": {"a": 500.0, "b": "ї\\u0456", "n": 1e400}}');
    expect(token).toBe('T');
    expect(body.toString()).toBe('{"access": 0             , "data": {"a": 500.0, "b": "ї\\u0456", "n": 1e400}}');
  });

  it('finds the token after text that is not ASCII, and under an escaped name', () => {
    expect(extract('{"data": {"назва": "їжак"}, "access": {"token": "T"}}').token).toBe('T');
    const escaped = extract('{"\\u0061ccess": {"token": "T"}}');
    expect(escaped.token).toBe('T');
    expect(escaped.body.toString()).not.toContain('T');
  });

  it('ignores a member of that name inside data', () => {
    const text = '{"data":{"access":{"token":"T"}}}';
    expect(extract(text)).toEqual({ body: Buffer.from(text) });
  });

  it('takes the last of several tokens and blanks all of them', () => {
    const { token, body } = extract('{"access":{"token":"one"},"access":{"token":"two"}}');
    expect(token).toBe('two');
    expect(body.toString()).not.toMatch(/one|two/);
  });

  it.each([
    ['{"access":null}'],
    ['{"access":{}}'],
    ['{"access":{"token":""}}'],
    ['{"access":{"token":5}}'],
    ['{"access":"T"}'],
  ])('finds no token in %s', (text) => {
    expect(extract(text).token).toBeUndefined();
  });

  it.each([
    ['{"options":{"pretty":true}}', true],
    ['{"options":{"pretty":false}}', false],
    ['{"options":{}}', undefined],
    ['{"data":{}}', undefined],
  ])('reads options.pretty of %s as %j', (text, pretty) => {
    expect(extract(text).pretty).toBe(pretty);
  });

  it('http.md 4.5: takes pretty of the last options only', () => {
    expect(extract('{"options":{"pretty":true},"options":{"pretty":false}}').pretty).toBe(false);
    expect(extract('{"options":{"pretty":true},"options":{}}').pretty).toBeUndefined();
  });

  it('ignores values too long to be a token or options', () => {
    const blanks = ' '.repeat(16 * 1024);
    expect(extract(`{"access":{"token":"T"${blanks}}}`)).not.toHaveProperty('token');
    expect(extract(`{"access":{"token":"T"${blanks}}}`).body.toString()).not.toContain('T');
    expect(extract(`{"options":{"pretty":true${blanks}}}`)).not.toHaveProperty('pretty');
  });

  it('looks at the first 1,000 members of the root', () => {
    const others = (count: number): string => '"a":0,'.repeat(count);
    expect(extract(`{${others(999)}"access":{"token":"T"}}`).token).toBe('T');
    expect(extract(`{${others(1_000)}"access":{"token":"T"}}`).token).toBeUndefined();
  });

  it('issue 14 S1: reads 4 MiB of anything in less than 100 ms of a quiet processor', () => {
    fc.assert(
      fc.property(hostileBodies(), (hostile) => {
        const body = Buffer.from(bodyText(hostile));
        expectCheap(() => extractBodyExtras(body));
      }),
      { numRuns: 40 },
    );
  });

  it.each(['"access":0,', '"access":{"token":"T"},', '"options":0,', '"":0,', '"\\u0061ccess":0,'])(
    'issue 14 S1: 4 MiB of the members %s take less than 100 ms of a quiet processor',
    (piece) => {
      const body = Buffer.from(bodyText({ head: '{"access":0,', piece, tail: '"data":{}}' }));
      expectCheap(() => extractBodyExtras(body));
    },
  );
});
