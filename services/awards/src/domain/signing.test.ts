import type { StoredContract } from '@procurement/contracts/resources/contract';
import { describe, expect, it } from 'vitest';
import { signsContract } from './signing.ts';

function contracts(...statuses: readonly StoredContract['status'][]) {
  const common = { awardID: 'a', contractID: 'c', date: '', dateCreated: '' };
  return { contracts: statuses.map((status, n) => ({ ...common, id: String(n), status })) };
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
