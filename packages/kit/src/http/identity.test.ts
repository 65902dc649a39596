import { describe, expect, it } from 'vitest';
import { makeIdentitySigner, makeIdentityVerifier, type Identity } from './identity.ts';

const SECRET = 'a secret of at least thirty-two characters';
const NEXT_SECRET = `${SECRET}, the next one`;
const identity: Identity = { broker: 'broker1', group: 'brokers', levels: '12', segment: '2.5', expires: 1_000 };
const sign = makeIdentitySigner(SECRET);
const verify = makeIdentityVerifier([SECRET], 'bids');

describe('the signed identity', () => {
  it('is accepted until it expires, again and again', () => {
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
    ['marked as needing no signature', `${none}.${unsigned.split('.')[1]}.`],
    ['signed with another secret', makeIdentitySigner(`${SECRET}!`)(identity, 'bids')],
    ['signed for another service', sign(identity, 'awards')],
    ['changed after signing', sign(identity, 'bids').replace(/\.\w/, (start) => (start === '.a' ? '.b' : '.a'))],
    // Claims that only a faulty gateway would sign.
    ['signed without its claims', sign({ hello: 1 } as unknown as Identity, 'bids')],
  ])('is refused when %s', (_what, header) => {
    expect(verify(header, 1)).toBeUndefined();
  });

  it('is accepted from either secret while one replaces the other', () => {
    const both = makeIdentityVerifier([SECRET, NEXT_SECRET], 'bids');
    expect(both(sign(identity, 'bids'), 1)).toEqual(identity);
    expect(both(makeIdentitySigner(NEXT_SECRET)(identity, 'bids'), 1)).toEqual(identity);
    expect(verify(makeIdentitySigner(NEXT_SECRET)(identity, 'bids'), 1)).toBeUndefined();
  });
});
