import { generateKeyPairSync } from 'node:crypto';
import { createSigner } from 'fast-jwt';
import { describe, expect, it } from 'vitest';
import { publicKeyOf, privateKeySetting, publicKeysSetting } from '../runtime/identity-keys.ts';
import { makeIdentitySigner, makeIdentityVerifier, type Identity } from './identity.ts';

function newKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');
}

const [KEY, NEXT_KEY] = [newKey(), newKey()] as const;
const identity: Identity = { broker: 'broker1', group: 'brokers', levels: '12', segment: '2.5', expires: 1_000 };
const anonymous: Identity = { group: 'anonymous', levels: '', segment: '2.5', expires: 1_000 };
const scope = { audience: 'bids', method: 'GET', path: '/tenders/1/bids/2' };
const target = { method: 'GET', url: '/tenders/1/bids/2' };
const sign = makeIdentitySigner(KEY);
const verify = makeIdentityVerifier([publicKeyOf(KEY)], 'bids');

describe('makeIdentityVerifier', () => {
  it('accepts an identity until it expires, also from its cache', () => {
    const header = sign(identity, scope);
    expect(verify(header, target, 999)).toEqual(identity);
    expect(verify(header, target, 1_000)).toEqual(identity);
    expect(verify(header, target, 1_001)).toBeUndefined();
  });

  it.each([
    ['another method', { ...target, method: 'DELETE' }],
    ['another path', { ...target, url: '/tenders/1/bids/3' }],
    ['a path above', { ...target, url: '/tenders/1/bids' }],
    ['a path with dots to another', { ...target, url: '/tenders/1/bids/2/../3' }],
    ['no path', { ...target, url: '*' }],
  ])('refuses it for %s', (_what, other) => {
    const header = sign(identity, scope);
    expect(verify(header, other, 1)).toBeUndefined();
    expect(verify(header, target, 1)).toEqual(identity);
  });

  it.each(['/tenders/1/bids/2?opt_pretty=1', '/tenders/1/bids/%32x'])('compares paths as they are sent: %s', (url) => {
    const path = decodeURI(url.replace(/\?.*/, ''));
    expect(verify(sign(identity, { ...scope, path: url }), { method: 'HEAD', url }, 1)).toEqual(identity);
    expect(verify(sign(identity, { ...scope, path }), { method: 'GET', url: path }, 1)).toEqual(identity);
  });

  it('accepts an identity for all paths of an anonymous caller only', () => {
    const { path: _path, ...everywhere } = scope;
    expect(verify(sign(anonymous, everywhere), target, 1)).toEqual(anonymous);
    expect(verify(sign(anonymous, everywhere), { ...target, method: 'POST' }, 1)).toBeUndefined();
    expect(verify(sign(identity, everywhere), target, 1)).toBeUndefined();
  });

  const unsigned = sign(identity, scope).split('.').slice(0, 2).join('.');
  const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'JWT' })).toString('base64url');
  // A verifier that trusts the algorithm of the header takes the public key for a shared secret.
  const confused = createSigner({ key: publicKeyOf(KEY), algorithm: 'HS256', kid: kidOf(sign(identity, scope)) });
  it.each([
    ['absent', undefined],
    ['empty', ''],
    ['without a signature', unsigned],
    ['of algorithm none', `${none}.${unsigned.split('.')[1]}.`],
    ['signed with the public key as a secret', confused({ ...identity, iss: 'gateway', aud: 'bids', exp: 1_000 })],
    ['signed with another key', makeIdentitySigner(NEXT_KEY)(identity, scope)],
    ['signed for another service', sign(identity, { ...scope, audience: 'awards' })],
    ['changed after signing', sign(identity, scope).replace(/\.\w/, (start) => (start === '.a' ? '.b' : '.a'))],
    ['signed without required claims', sign({ hello: 1 } as unknown as Identity, scope)],
  ])('refuses an identity that is %s', (_case, header) => {
    expect(verify(header, target, 1)).toBeUndefined();
  });

  it('accepts both keys during a rotation', () => {
    const both = makeIdentityVerifier([publicKeyOf(KEY), publicKeyOf(NEXT_KEY)], 'bids');
    expect(both(sign(identity, scope), target, 1)).toEqual(identity);
    expect(both(makeIdentitySigner(NEXT_KEY)(identity, scope), target, 1)).toEqual(identity);
    expect(verify(makeIdentitySigner(NEXT_KEY)(identity, scope), target, 1)).toBeUndefined();
  });
});

describe('settings of keys', () => {
  it('accept Ed25519 keys in base64 and show no value when they refuse', () => {
    expect(privateKeySetting.parse(KEY)).toBe(KEY);
    const keys = [publicKeyOf(KEY), publicKeyOf(NEXT_KEY)];
    expect(publicKeysSetting.parse(keys.join(','))).toEqual(keys);
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const otherKey = other.privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');
    for (const bad of ['secret-text', otherKey, publicKeyOf(KEY)]) {
      const { error } = privateKeySetting.safeParse(bad);
      expect(error?.message).toContain('not an Ed25519 private key');
      expect(error?.message).not.toContain(bad);
    }
    for (const bad of ['', 'secret-text', KEY]) expect(publicKeysSetting.safeParse(bad).success).toBe(false);
  });
});

function kidOf(token: string): string {
  return JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;
}
