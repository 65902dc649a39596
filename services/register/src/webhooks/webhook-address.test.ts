import { describe, expect, it } from 'vitest';
import { isAddressAllowed, isUrlAllowed, parseNetwork, type AddressPolicy } from './webhook-address.ts';

const PUBLIC: AddressPolicy = {
  isPrivateAllowed: false,
  denied: [parseNetwork('198.41.0.0/24')],
  portsDenied: [9_999],
};
const SANDBOX: AddressPolicy = { ...PUBLIC, isPrivateAllowed: true };

describe('isAddressAllowed', () => {
  it.each([
    '127.0.0.1',
    '::1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '::',
    'fd00::1',
    'fe80::1',
    '::7f00:1',
    '::a00:1',
    '4000::1',
    '::ffff:10.0.0.1',
    '::ffff:127.0.0.1',
    '64:ff9b::a00:1',
    '2002:a00:1::',
    '2001::1',
    '224.0.0.1',
    'ff02::1',
    '255.255.255.255',
    '192.0.2.1',
    '198.18.0.1',
    '240.0.0.1',
    '2001:db8::1',
    '198.41.0.4',
    '::ffff:198.41.0.4',
    'not an address',
    '',
  ])('refuses %s', (address) => {
    expect(isAddressAllowed(address, PUBLIC)).toBe(false);
  });

  it.each(['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'])('accepts %s', (address) => {
    expect(isAddressAllowed(address, PUBLIC)).toBe(true);
  });

  it('accepts this host in the sandbox, but never the denied networks', () => {
    expect(isAddressAllowed('127.0.0.1', SANDBOX)).toBe(true);
    expect(isAddressAllowed('198.41.0.4', SANDBOX)).toBe(false);
  });
});

describe('isUrlAllowed', () => {
  it.each([
    'http://a.example/',
    'ftp://a.example/',
    'https://user@a.example/',
    'https://:pass@a.example/',
    'https:///',
    'https://a.example:22/',
    'https://a.example:80/',
    'https://a.example:9999/',
    'nonsense',
    'https://127.0.0.1/',
    'https://93.184.215.14/',
    'https://[::1]/',
    'https://0x7f000001/',
    'https://2130706433/',
  ])('refuses %s', (url) => {
    expect(isUrlAllowed(url, PUBLIC)).toBe(false);
  });

  it.each(['https://a.example/', 'https://a.example:8443/x?y=1', 'https://a.example:1024/'])('accepts %s', (url) => {
    expect(isUrlAllowed(url, PUBLIC)).toBe(true);
  });

  it('accepts http, addresses and port 80 in the sandbox, no other low port', () => {
    expect(['http://127.0.0.1:8080/', 'http://localhost/'].every((url) => isUrlAllowed(url, SANDBOX))).toBe(true);
    expect(isUrlAllowed('http://127.0.0.1:22/', SANDBOX)).toBe(false);
    expect(isUrlAllowed('http://198.41.0.4:8080/', SANDBOX)).toBe(false);
  });
});
