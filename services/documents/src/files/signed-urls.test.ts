import { LINKS_BASE } from '@procurement/kit/runtime/config';
import { describe, expect, it } from 'vitest';
import { makeSignedUrls } from './signed-urls.ts';
import { derivedSeed, publicKey, signingKey } from './signing-keys.ts';

// The test vectors of http.md 2.8.
const SEED = '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f';
const PUBLIC = '03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8';
const ID = '0123456789abcdef0123456789abcdef';
const MD5 = '9a0364b9e99bb480dd25e1f0284c8555';
const UPLOAD =
  'VbOuCPxUKC%2Bjba007M8GVGaKrSgSZ2blGj9%2BrOdAfH6G7M%2FLuzrVEO8xpFVY3%2BoCL%2BZfE%2BClvtZH5beXHRjgAw%3D%3D';
const REGISTRATION =
  '7r36sGy%2BCLm13SC6Xl4HnQ3JX7976mm27sQ9WdnACmGZ%2F3aIVKAWHS8yZNHuJlj4%2BLzEqairIqvcEiksEvQNBQ%3D%3D';
const TEMPORARY = 'f0nwj5nG5tkaTbiMqUHvGvNlvweF6dAYTYyaWQZolVt1O0lpk6rKKgpOt5plFj+cK3m0kp15+gDXashGGs71AA==';
const BASE = 'https://docs.example.org';

const vector = signingKey(SEED);
const api = signingKey('11'.repeat(32));
const keys = { service: vector, api, formerService: [], formerApi: [] };
const addresses = makeSignedUrls(BASE, keys);
const query = (address: string): URLSearchParams => new URL(address).searchParams;
const with_ = (address: string, name: string, value: string): URLSearchParams => {
  const changed = query(address);
  changed.set(name, value);
  return changed;
};

describe('signingKey', () => {
  it('signs as the published vectors', () => {
    expect(addresses.upload(ID)).toBe(`${BASE}/upload/${ID}?KeyID=03a107bf&Signature=${UPLOAD}`);
    expect(addresses.registration(ID, MD5)).toBe(`${BASE}/get/${ID}?KeyID=03a107bf&Signature=${REGISTRATION}`);
    const temporary = makeSignedUrls(BASE, { ...keys, api: vector }).temporary(ID, 2_000_000_000);
    expect(query(temporary).get('Signature')).toBe(TEMPORARY);
  });

  it('is verified by its public key', () => {
    expect(publicKey(PUBLIC).id).toBe('03a107bf');
    const former = makeSignedUrls(BASE, { ...keys, service: api, formerService: [publicKey(PUBLIC)] });
    expect(former.verifyUpload(ID, query(addresses.upload(ID)))).toBeUndefined();
  });

  it('is derived from a secret, equally in every replica', () => {
    expect(derivedSeed('a secret', 'one')).toBe(derivedSeed('a secret', 'one'));
    expect(derivedSeed('a secret', 'one')).not.toBe(derivedSeed('a secret', 'other'));
  });
});

describe('verifyUpload', () => {
  const good = addresses.upload(ID);

  it.each([
    ['a valid address', query(good), undefined],
    ['a signature encoded twice', with_(good, 'Signature', UPLOAD), undefined],
    [
      'a signature with blanks for pluses',
      with_(good, 'Signature', decodeURIComponent(UPLOAD).replaceAll('+', ' ')),
      undefined,
    ],
    ['no key', new URLSearchParams(), 'file.key-unknown'],
    ['the key of the API', query(addresses.permanent(ID)), 'file.key-unknown'],
    ['no signature', new URLSearchParams({ KeyID: '03a107bf' }), 'file.signature-missing'],
    ['a malformed signature', with_(good, 'Signature', '%%%'), 'file.signature-invalid'],
    ['another signature', query(addresses.registration(ID, MD5)), 'file.signature-wrong'],
  ])('%s', (_title, given, code) => {
    expect(addresses.verifyUpload(ID, given)?.code).toBe(code);
  });
});

describe('verifyDownload', () => {
  const NOW = 2_000_000_000;

  it.each([
    ['permanent', query(addresses.permanent(ID)), { permanent: true }],
    ['temporary, in its last second', query(addresses.temporary(ID, NOW)), { permanent: false }],
  ])('%s', (_title, given, expected) => {
    expect(addresses.verifyDownload(ID, given, NOW)).toEqual(expected);
  });

  it.each([
    ['an expired address', query(addresses.temporary(ID, NOW - 1)), 'file.expired'],
    ['a malformed expiry', with_(addresses.temporary(ID, NOW), 'Expires', 'never'), 'file.expired'],
    [
      'a later expiry than was signed',
      with_(addresses.temporary(ID, NOW), 'Expires', '3000000000'),
      'file.signature-wrong',
    ],
    ['the address of a registration', query(addresses.registration(ID, MD5)), 'file.key-private'],
    ['the address of an upload, with the same signed text', query(addresses.upload(ID)), 'file.key-private'],
    ['an unknown key', with_(addresses.temporary(ID, NOW), 'KeyID', '00000000'), 'file.key-unknown'],
    ['the address of another file', query(addresses.permanent('f'.repeat(32))), 'file.signature-wrong'],
  ])('%s', (_title, given, code) => {
    expect(addresses.verifyDownload(ID, given, NOW)).toMatchObject({ refused: { code } });
  });
});

describe('issue 15 R29: verifyRegistration without PUBLIC_BASE_URL', () => {
  const following = makeSignedUrls(LINKS_BASE, keys);
  const path = following.registration(ID, MD5).slice(LINKS_BASE.length);

  it.each(['http://127.0.0.1:8080', 'https://192.168.1.7', 'http://[::1]:8080'])('takes the address %s', (base) => {
    expect(following.verifyRegistration(base + path, `md5:${MD5}`)).toEqual({ fileId: ID });
    expect(addresses.verifyRegistration(base + path, `md5:${MD5}`)).toMatchObject({
      refused: { code: 'document.url-foreign' },
    });
  });

  it.each([`ftp://x${path}`, `javascript:${path}`, path, `http://x/y${path}`])('refuses %s', (url) => {
    expect(following.verifyRegistration(url, `md5:${MD5}`)).toMatchObject({
      refused: { code: 'document.url-foreign' },
    });
  });
});

describe('verifyRegistration', () => {
  const good = addresses.registration(ID, MD5);

  it('returns the file', () => {
    expect(addresses.verifyRegistration(good, `md5:${MD5}`)).toEqual({ fileId: ID });
  });

  it.each([
    ['another host', good.replace('docs.', 'evil.'), `md5:${MD5}`, 'document.url-foreign'],
    [
      'a host with the same beginning',
      good.replace('docs.example.org', 'docs.example.org.evil'),
      `md5:${MD5}`,
      'document.url-foreign',
    ],
    ['another path', good.replace('/get/', '/got/'), `md5:${MD5}`, 'document.url-foreign'],
    ['an extra query parameter', `${good}&Expires=1`, `md5:${MD5}`, 'document.url-foreign'],
    ['a malformed address', 'http://[', `md5:${MD5}`, 'document.url-foreign'],
    ['a number', 7, `md5:${MD5}`, 'document.url-foreign'],
    ['no hash', good, undefined, 'document.hash-missing'],
    ['an unknown key', good.replace('03a107bf', '00000000'), `md5:${MD5}`, 'document.url-expired'],
    ['a malformed signature', good.replace(/Signature=.*/, 'Signature=!!'), `md5:${MD5}`, 'document.url-signature'],
    ['the hash of another file', good, `md5:${'0'.repeat(32)}`, 'document.url-invalid'],
    ['the address of a download', addresses.permanent(ID), `md5:${MD5}`, 'document.url-expired'],
  ])('%s', (_title, url, hash, code) => {
    expect(addresses.verifyRegistration(url, hash)).toMatchObject({ refused: { code } });
  });
});
