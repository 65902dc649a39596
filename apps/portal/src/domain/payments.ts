import type { Money } from './money.ts';

/** What orders and sums need of a payment. */
interface Payment {
  readonly date: string;
  readonly status: string;
  readonly value: Money;
}

/** A payment, and what was paid in its currency up to it; undefined beside one that was not carried out. */
export interface PaymentRow<P extends Payment> {
  readonly payment: P;
  readonly total: Money | undefined;
}

/** Decimals of sums of amounts: a sum of doubles would show 0.30000000000000004. */
const DECIMALS = 1e6;

/** Payments by their dates, with running sums: the treasury may report a payment after later ones. */
export function paymentRows<P extends Payment>(payments: readonly P[]): readonly PaymentRow<P>[] {
  const sums = new Map<string, number>();
  return payments
    .toSorted((one, other) => Date.parse(one.date) - Date.parse(other.date))
    .map((payment) => {
      const { amount, currency } = payment.value;
      if (payment.status !== 'successful') return { payment, total: undefined };
      const sum = Math.round(((sums.get(currency) ?? 0) + amount) * DECIMALS) / DECIMALS;
      sums.set(currency, sum);
      return { payment, total: { amount: sum, currency } };
    });
}

/** What was paid, in each currency. */
export function paidTotals(payments: readonly Payment[]): readonly Money[] {
  const totals = new Map(
    paymentRows(payments).flatMap(({ total }) => (total === undefined ? [] : [[total.currency, total] as const])),
  );
  return [...totals.values()];
}
