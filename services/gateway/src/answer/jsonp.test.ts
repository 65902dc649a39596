import { describe, expect, it } from 'vitest';
import { isCallbackName, wrapJsonp } from './jsonp.ts';

describe('isCallbackName', () => {
  it.each(['show', '$', '_a1', 'app.show', 'handlers[0]', 'a.b[1].c'])('accepts %s', (name) => {
    expect(isCallbackName(name)).toBe(true);
  });

  it.each(['', '1a', 'a-b', 'a(b', 'show.', 'a;b', 'a b', '<script>', 'a\n', 'a'.repeat(129)])('refuses %j', (name) => {
    expect(isCallbackName(name)).toBe(false);
  });
});

describe('wrapJsonp', () => {
  it('wraps, and escapes the separators that old scripts take for line ends', () => {
    expect(wrapJsonp('show', Buffer.from('{"a":"\u2028\u2029"}')).toString()).toBe('/**/show({"a":"\\u2028\\u2029"});');
  });
});
