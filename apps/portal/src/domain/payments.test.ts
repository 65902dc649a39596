import { describe, expect, it } from 'vitest';
import { paidTotals, paymentRows } from './payments.ts';

const payment = (date: string, amount: number, status = 'successful', currency = 'UAH') => ({
  date: `2026-${date}T12:00:00+03:00`,
  status,
  value: { amount, currency },
});

describe('payments', () => {
  const late = payment('05-20', 0.1);
  const payments = [
    payment('06-15', 0.2),
    late,
    payment('06-01', 7, 'canceled'),
    payment('06-20', 5, 'successful', 'EUR'),
  ];

  it('stand in the order of their dates, with what was paid until each', () => {
    const rows = paymentRows(payments).map(({ payment: { value }, total }) => [value.amount, total?.amount]);
    expect(rows).toEqual([
      [0.1, 0.1],
      [7, undefined],
      [0.2, 0.3],
      [5, 5],
    ]);
  });

  it('are summed by currency, without those that were not carried out', () => {
    expect(paidTotals(payments)).toEqual([
      { amount: 0.3, currency: 'UAH' },
      { amount: 5, currency: 'EUR' },
    ]);
    expect(paidTotals([payment('06-01', 7, 'canceled')])).toEqual([]);
  });
});
