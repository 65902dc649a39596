import type { Actor } from '@procurement/contracts/api/actor';
import { describe, expect, it } from 'vitest';
import { OWNER_UNSAID, permissionProblem, type OwnedObject } from './admission.ts';

const broker: Actor = { broker: 'a', group: 'brokers', levels: '12', segment: '2.5' };
const withToken = { ...broker, tokenHash: 'f'.repeat(64) };
const OWN = { owner: 'a' };
const OTHER = { owner: 'b' };

describe('permissionProblem', () => {
  it.each<[code: string, what: string, actor: Actor, owned: OwnedObject | undefined]>([
    ['request.token-missing', 'the owner without its token', broker, OWN],
    ['request.token-wrong', 'the owner with another token', withToken, OWN],
    ['request.other-broker', 'another broker without a token', broker, OTHER],
    ['request.other-broker', 'another broker with any token', withToken, OTHER],
    ['request.token-missing', 'a broker without a token, where owners are not public', broker, OWNER_UNSAID],
    ['request.token-wrong', 'a broker with a token, where owners are not public', withToken, OWNER_UNSAID],
    ['request.forbidden', 'a component, which has no tokens', { ...broker, group: 'auction' }, OWN],
    ['request.forbidden', 'a request that no token permits', withToken, undefined],
  ])('refuses with %s: %s', (code, _what, actor, owned) => {
    const refused = permissionProblem(actor, false, owned);
    expect(refused).toMatchObject({ code, status: 403 });
    // Software compares these.
    expect(refused?.errors).toEqual([{ location: 'url', name: 'permission', description: 'Forbidden' }]);
  });

  it('asks for a key first, and refuses no permitted caller', () => {
    expect(permissionProblem({ group: 'anonymous', levels: '', segment: '2.5' }, false, OWN)).toMatchObject({
      code: 'request.key-missing',
    });
    expect(permissionProblem(broker, true, OTHER)).toBeUndefined();
  });
});
