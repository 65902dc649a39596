import { describe, expect, it } from 'vitest';
import { trustedProxies } from './trusted-proxies.ts';

describe('trustedProxies', () => {
  it.each([
    ['', '127.0.0.1', false],
    ['127.0.0.1', '127.0.0.1', true],
    ['127.0.0.1', '::ffff:127.0.0.1', true],
    ['10.0.0.0/8, 192.168.0.1', '10.200.3.4', true],
    ['10.0.0.0/8, 192.168.0.1', '::ffff:10.200.3.4', true],
    ['10.0.0.0/8, 192.168.0.1', '192.168.0.2', false],
    ['fd00::/8', 'fd12::1', true],
    ['fd00::/8', 'fe80::1', false],
    ['0.0.0.0/0', '203.0.113.7', true],
    ['0.0.0.0/0', 'fd12::1', false],
    ['::/0', 'fd12::1', true],
    ['::/0', '203.0.113.7', true],
    ['10.0.0.0/8', 'not an address', false],
    ['10.0.0.0/8', '10.1', false],
    ['10.0.0.0/8', undefined, false],
  ])('%j: is %j one of them? %j', (list, address, expected) => {
    expect(trustedProxies(list)(address)).toBe(expected);
  });

  it.each(['proxy.local', 'loopback', '10.1', '10.0.0.0/33', '::1/129'])('refuses %s in the list', (entry) => {
    expect(() => trustedProxies(`10.0.0.0/8, ${entry}`)).toThrow(`${entry} is no address`);
  });
});
