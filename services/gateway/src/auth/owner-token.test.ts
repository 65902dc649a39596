import { describe, expect, it } from 'vitest';
import { rootMembers } from '../json/root-members.ts';
import { selectOwnerToken, extractBodyExtras, extractTokenParameter, redactQuery } from './owner-token.ts';

describe('takeTokenParameter', () => {
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
  ])('%j gives the query %j and takes %j', (query, left, taken) => {
    expect(extractTokenParameter(query)).toEqual({ query: left, taken });
  });
});

describe('withoutSecrets', () => {
  it('shows neither the owner token nor a signature, however they are spelled', () => {
    expect(redactQuery('a=1&acc_token=T&Signature=S&acc%5Ftoken=U&KeyID=k')).toBe('a=1&KeyID=k');
  });
});

describe('ownerToken', () => {
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

describe('takeBodyExtras', () => {
  const take = (text: string) => extractBodyExtras(Buffer.from(text));

  it.each([
    ['{"data":{"value":{"amount":500.0}}}'],
    ['{"data": {"access": '],
    ['not json, though it says "access"'],
    ['["access"]'],
    [''],
    ['{"access"}'],
  ])('leaves %j as it is', (text) => {
    expect(take(text).body.toString()).toBe(text);
    expect(take(text).token).toBeUndefined();
  });

  it('takes the token out and keeps every other byte', () => {
    const { token, body } = take('{"access": {"token": "T"}, "data": {"a": 500.0, "b": "ї\\u0456", "n": 1e400}}');
    expect(token).toBe('T');
    expect(body.toString()).toBe('{"access": 0             , "data": {"a": 500.0, "b": "ї\\u0456", "n": 1e400}}');
  });

  it('finds it behind text that is not ASCII, and under an escaped name', () => {
    expect(take('{"data": {"назва": "їжак"}, "access": {"token": "T"}}').token).toBe('T');
    const escaped = take('{"\\u0061ccess": {"token": "T"}}');
    expect(escaped.token).toBe('T');
    expect(escaped.body.toString()).not.toContain('T');
  });

  it('ignores a member of that name inside data', () => {
    const text = '{"data":{"access":{"token":"T"}}}';
    expect(take(text)).toEqual({ body: Buffer.from(text) });
  });

  it('takes the last of several and blanks all', () => {
    const { token, body } = take('{"access":{"token":"one"},"access":{"token":"two"}}');
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
    expect(take(text).token).toBeUndefined();
  });

  it.each([
    ['{"options":{"pretty":true}}', true],
    ['{"options":{"pretty":false}}', false],
    ['{"options":{}}', undefined],
    ['{"data":{}}', undefined],
  ])('reads options.pretty of %s as %j', (text, pretty) => {
    expect(take(text).pretty).toBe(pretty);
  });
});

describe('jsonMembers', () => {
  it('finds names and values of every kind', () => {
    const text = '\ufeff { "a" : 1 , "b":"x,}" ,"c":[{"d":"]"}],"e":null}';
    const found = rootMembers(text)?.map(({ name, start, end }) => [name, text.slice(start, end)]);
    expect(found).toEqual([
      ['a', '1'],
      ['b', '"x,}"'],
      ['c', '[{"d":"]"}]'],
      ['e', 'null'],
    ]);
  });

  it.each([
    ['{'],
    ['{"a"'],
    ['{"a":'],
    ['{"a":}'],
    ['{"a":1'],
    ['{"a":"x'],
    ['{a:1}'],
    ['{"a":1 "b":2}'],
    ['[]'],
    ['1'],
  ])('gives up on %s', (text) => {
    expect(rootMembers(text)).toBeUndefined();
  });
});
