import { makeIdentityVerifier } from '@procurement/kit/http/identity';
import { sha256Hex } from '@procurement/kit/runtime/ids';
import { describe, expect, it } from 'vitest';
import type { Broker } from './broker.ts';
import { IDENTITY_PRIVATE_KEY, IDENTITY_SETTINGS } from '../../test-support/fake-service.ts';
import { identifyCaller, identitySigner, type Caller } from './caller.ts';
import { makeKeyRing } from './key-ring.ts';

const broker: Broker = { name: 'broker1', group: 'brokers', levels: '1234' };
const target = { method: 'GET', path: '/tenders/1' } as const;
const knownCaller: Caller = { kind: 'broker', broker };
const anonymous: Caller = { kind: 'anonymous', credentials: 'missing' };

const keys = makeKeyRing({
  source: { all: async () => new Map(), find: async (hash) => (hash === sha256Hex('key') ? broker : undefined) },
  unknownMs: 1_000,
  nowMs: () => 0,
});

describe('identifyCaller', () => {
  it.each([
    [undefined, anonymous],
    ['Basic Og==', anonymous],
    ['Bearer key', knownCaller],
    ['Bearer other', { kind: 'anonymous', credentials: 'unknown' }],
    ['Digest x', { kind: 'anonymous', credentials: 'unknown' }],
  ])('of %s', async (header, expected) => {
    const caller = identifyCaller(header, keys);
    expect(typeof caller === 'function' ? await caller() : caller).toEqual(expected);
  });
});

describe('identitySigner', () => {
  const verify = makeIdentityVerifier([IDENTITY_SETTINGS.IDENTITY_PUBLIC_KEYS], 'tenders');
  const read = (text: string, method = 'GET', url = '/tenders/1') => verify(text, { method, url }, 1_000);

  it('names the broker, with the hash of the owner token', () => {
    const sign = identitySigner(IDENTITY_PRIVATE_KEY, () => 1_000);
    const identity = read(
      sign({ ...target, service: 'tenders', caller: knownCaller, write: true, segment: '2.5', token: 'T' }),
    );
    expect(identity).toEqual({
      broker: 'broker1',
      group: 'brokers',
      levels: '1234',
      segment: '2.5',
      tokenHash: sha256Hex('T'),
      expires: 1_060,
    });
  });

  it('is for one method and path, of an anonymous caller for one method', () => {
    const sign = identitySigner(IDENTITY_PRIVATE_KEY, () => 1_000);
    const claims = { ...target, service: 'tenders', write: false, segment: '2.5' } as const;
    const [known, unknown] = [knownCaller, anonymous].map((caller) => sign({ ...claims, caller }));
    for (const [method, url, ofKnown, ofUnknown] of [
      ['GET', '/tenders/1?opt_pretty=1', true, true],
      ['HEAD', '/tenders/1', true, true],
      ['GET', '/tenders/2', false, true],
      ['DELETE', '/tenders/1', false, false],
    ] as const) {
      const accepted = [known, unknown].map((text) => read(text ?? '', method, url) !== undefined);
      expect(accepted, `${method} ${url}`).toEqual([ofKnown, ofUnknown]);
    }
  });

  it('gives the reason of an anonymous write, ignores a token without a key, and passes on the allowed methods', () => {
    const sign = identitySigner(IDENTITY_PRIVATE_KEY, () => 1_000);
    const identity = read(
      sign({
        ...target,
        service: 'tenders',
        caller: anonymous,
        write: true,
        segment: '2.3',
        token: 'T',
        allow: 'GET, HEAD',
      }),
    );
    expect(identity).toEqual({
      group: 'anonymous',
      levels: '',
      credentials: 'missing',
      segment: '2.3',
      allow: 'GET, HEAD',
      expires: 1_060,
    });
  });

  it('signs equal claims once per second', () => {
    let now = 1_000;
    const sign = identitySigner(IDENTITY_PRIVATE_KEY, () => now);
    const claims = { ...target, service: 'tenders', caller: anonymous, write: false, segment: '2.5' } as const;
    const first = sign(claims);
    expect(sign({ ...claims, caller: { kind: 'anonymous', credentials: 'unknown' } })).toBe(first);
    expect(sign({ ...claims, segment: '2.3' })).not.toBe(first);
    expect(sign({ ...claims, service: 'bids' })).not.toBe(first);
    expect(sign({ ...claims, method: 'POST' })).not.toBe(first);
    expect(sign({ ...claims, path: '/tenders/2', token: 'ignored' })).toBe(first);
    const known = { ...claims, caller: knownCaller };
    expect(sign(known)).toBe(sign(known));
    expect(sign({ ...known, path: '/tenders/2' })).not.toBe(sign(known));
    const owner = { ...known, token: 'T' };
    expect(sign(owner)).toBe(sign(owner));
    expect(sign(owner)).not.toBe(sign(known));
    expect(sign({ ...owner, token: 'U' })).not.toBe(sign(owner));
    expect(sign({ ...owner, seed: 's' })).not.toBe(sign({ ...owner, seed: 't' }));
    now += 1;
    expect(sign(claims)).not.toBe(first);
  });
});
