import { describe, expect, it } from 'vitest';
import { CONTRACT_HASH, newAwarding } from '../../test-support/run-command.ts';
import { awardFacts } from './awarding.view.ts';

describe('awardFacts', () => {
  it('has the holders of tokens of contracts, apart from the contracts', () => {
    const { tender: _tender, ...state } = newAwarding();
    expect(awardFacts(state)).not.toHaveProperty('contractOwners');
    const hashes = { tokenHash: CONTRACT_HASH, transferHash: CONTRACT_HASH };
    const holder = { owner: 'buyer', ...hashes };
    const taken = { owner: 'other', ...hashes, isTakenOver: true } as const;
    expect(awardFacts({ ...state, contractOwners: { c1: holder, c2: taken } }).contractOwners).toEqual({
      c1: { owner: 'buyer', ownerTokenHash: CONTRACT_HASH },
      c2: { owner: 'other', ownerTokenHash: CONTRACT_HASH, isTakenOver: true },
    });
  });
});
