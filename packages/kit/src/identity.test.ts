import { describe, expect, it } from 'vitest';
import { signIdentity, verifyIdentity, type Identity } from './identity.ts';

const SECRET = 'a secret of at least thirty-two characters';
const identity: Identity = { broker: 'broker1', group: 'brokers', levels: '12', segment: '2.5', expires: 1_000 };

describe('the signed identity', () => {
  it('is accepted until it expires, again and again', () => {
    const header = signIdentity(identity, SECRET);
    expect(verifyIdentity(header, SECRET, 999)).toEqual(identity);
    expect(verifyIdentity(header, SECRET, 1_000)).toEqual(identity);
    expect(verifyIdentity(header, SECRET, 1_001)).toBeUndefined();
  });

  it.each([
    ['absent', undefined],
    ['empty', ''],
    ['without a signature', Buffer.from(JSON.stringify(identity)).toString('base64url')],
    ['signed with another secret', signIdentity(identity, `${SECRET}!`)],
    ['changed after signing', signIdentity(identity, SECRET).replace(/^./, (first) => (first === 'a' ? 'b' : 'a'))],
    ['something else, signed', signIdentity({ hello: 1 } as unknown as Identity, SECRET)],
  ])('is refused when %s', (_what, header) => {
    expect(verifyIdentity(header, SECRET, 1)).toBeUndefined();
  });
});
