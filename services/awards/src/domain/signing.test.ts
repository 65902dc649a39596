import type { StoredContract } from '@procurement/contracts/resources/contract';
import { describe, expect, it } from 'vitest';
import { signsContract } from './signing.ts';

function contracts(...statuses: readonly StoredContract['status'][]) {
  return {
    contracts: statuses.map((status, n) => ({ id: String(n), awardID: 'a', contractID: 'c', date: '', status })),
  };
}

describe('signsContract', () => {
  it('is true when a contract becomes active', () => {
    expect(signsContract(contracts('pending'), contracts('active'))).toBe(true);
    expect(signsContract(contracts('active', 'pending'), contracts('active', 'active'))).toBe(true);
  });

  it('is false for any other change', () => {
    expect(signsContract(contracts(), contracts('pending'))).toBe(false);
    expect(signsContract(contracts('active'), contracts('active', 'pending'))).toBe(false);
    expect(signsContract(contracts('active'), contracts('cancelled'))).toBe(false);
  });
});
