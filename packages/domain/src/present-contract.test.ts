import { expect, it } from 'vitest';
import { presentContract } from './present-contract.ts';

const signed = { id: 'c', status: 'active', date: '2026-03-31', value: { amount: 380 }, title: 'Папір' };

it('lays what followed the signature over what was signed', () => {
  const changes = [{ id: 'g' }];
  const transactions = [{ id: '1' }];
  const implementation = {
    status: 'terminated',
    date: '2026-06-30',
    value: { amount: 395.2 },
    amountPaid: { amount: 395.2 },
    changes,
    transactions,
  };
  expect(presentContract({ ...signed, implementation })).toEqual({
    id: 'c',
    title: 'Папір',
    status: 'terminated',
    date: '2026-06-30',
    value: { amount: 395.2 },
    amountPaid: { amount: 395.2 },
    changes,
    implementation: { transactions },
  });
});

it.each([undefined, null, 7, [], 'text'])('is the contract as it was signed when %j followed', (implementation) => {
  expect(presentContract({ ...signed, implementation })).toEqual(signed);
});
