import { describe, expect, it } from 'vitest';
import { parseClientRequestId, isNormalizedPath, splitTarget } from './request-target.ts';

describe('isNormalizedPath', () => {
  it.each([
    '/',
    '/api/2.5/tenders',
    '/api/2.5/tenders/%D1%97',
    '/docs/assets/index.css',
    '/a/...',
    '/a/.b',
    '/a/%20',
    '/a/%3A%40%5B%60%7B%7D',
  ])('accepts %s', (path) => {
    expect(isNormalizedPath(path)).toBe(true);
  });

  it.each([
    '/a/',
    '//a',
    '/a//b',
    '/a/..',
    '/./a',
    '/a/%2e%2E',
    '/a/.%2e/b',
    '/a%2Fb',
    '/a%5cb',
    '/a\\b',
    '/%61pi/2.5/tenders',
    '/get/%61',
    '/api/2%2E5/tenders',
    '/a%2Db',
    '/a%5fb',
    '/a%7E',
    '/a%30',
    '/%5A',
    '/a%00',
    '/a#b',
  ])('refuses %s', (path) => {
    expect(isNormalizedPath(path)).toBe(false);
  });
});

describe('parseClientRequestId', () => {
  it.each([
    ['abc.1:2_3-4', 'abc.1:2_3-4'],
    [['first', 'second'], 'first'],
    ['x'.repeat(128), 'x'.repeat(128)],
    ['x'.repeat(129), undefined],
    ['a b', undefined],
    ['a\n', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('of %j is %j', (header, expected) => {
    expect(parseClientRequestId(header)).toBe(expected);
  });
});

describe('splitTarget', () => {
  it.each([
    ['/a?b=1?c', { path: '/a', query: 'b=1?c' }],
    ['/a?', { path: '/a', query: '' }],
    ['/a', { path: '/a', query: '' }],
  ])('of %s', (target, expected) => {
    expect(splitTarget(target)).toEqual(expected);
  });
});
