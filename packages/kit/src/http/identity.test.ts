import { describe, expect, it } from 'vitest';
import { makeIdentitySigner, makeIdentityVerifier, type Identity } from './identity.ts';

const SECRET = 'a secret of at least thirty-two characters';
const NEXT_SECRET = `${SECRET}, the next one`;
const identity: Identity = { broker: 'broker1', group: 'brokers', levels: '12', segment: '2.5', expires: 1_000 };
const sign = makeIdentitySigner(SECRET);
const verify = makeIdentityVerifier([SECRET], 'bids');

describe('makeIdentityVerifier', () => {
  it('accepts an identity until it expires, also from its cache', () => {
    const header = sign(identity, 'bids');
    expect(verify(header, 999)).toEqual(identity);
    expect(verify(header, 1_000)).toEqual(identity);
    expect(verify(header, 1_001)).toBeUndefined();
  });

  const unsigned = sign(identity, 'bids').split('.').slice(0, 2).join('.');
  const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'JWT' })).toString('base64url');
  it.each([
    ['absent', undefined],
    ['empty', ''],
    ['without a signature', unsigned],
    ['of algorithm none', `${none}.${unsigned.split('.')[1]}.`],
    ['signed with another secret', makeIdentitySigner(`${SECRET}!`)(identity, 'bids')],
    ['signed for another service', sign(identity, 'awards')],
    ['changed after signing', sign(identity, 'bids').replace(/\.\w/, (start) => (start === '.a' ? '.b' : '.a'))],
    ['signed without required claims', sign({ hello: 1 } as unknown as Identity, 'bids')],
  ])('refuses an identity that is %s', (_case, header) => {
    expect(verify(header, 1)).toBeUndefined();
  });

  it('accepts both secrets during a rotation', () => {
    const both = makeIdentityVerifier([SECRET, NEXT_SECRET], 'bids');
    expect(both(sign(identity, 'bids'), 1)).toEqual(identity);
    expect(both(makeIdentitySigner(NEXT_SECRET)(identity, 'bids'), 1)).toEqual(identity);
    expect(verify(makeIdentitySigner(NEXT_SECRET)(identity, 'bids'), 1)).toBeUndefined();
  });
});
