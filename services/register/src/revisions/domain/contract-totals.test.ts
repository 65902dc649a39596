import { expect, it } from 'vitest';
import { contractTotals, presentContracts } from './contract-totals.ts';

const uah = (amount: number) => ({ amount, currency: 'UAH' });
const change = (status: string) => ({ id: '1', status });

it('counts signed contracts as they are now, and sums them in the currency of the tender', () => {
  const contracts = [
    { status: 'pending', value: uah(1000) },
    { status: 'cancelled', value: uah(1000) },
    { status: 'active', value: uah(380) },
    {
      status: 'active',
      value: uah(10),
      implementation: { status: 'active', changes: [change('pending')], amountPaid: uah(5) },
    },
    {
      status: 'active',
      value: uah(20),
      implementation: { status: 'terminated', value: uah(25), changes: [change('active')], amountPaid: uah(24.5) },
    },
    {
      status: 'active',
      value: { amount: 3, currency: 'EUR' },
      implementation: { status: 'terminated', amountPaid: { amount: 3, currency: 'EUR' } },
    },
  ];
  expect(contractTotals(presentContracts({ contracts }), 'UAH')).toEqual({
    signed: 4,
    amended: 1,
    terminated: 2,
    present: 415,
    paid: 24.5,
  });
});

it.each([undefined, 7, [null, 7, {}], [{ status: 'active', implementation: { changes: 7 } }]])(
  'has no sums of %j',
  (contracts) => {
    expect(contractTotals(presentContracts({ contracts }), 'UAH')).not.toHaveProperty('present');
  },
);
