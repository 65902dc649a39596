import type { StoredTender } from '@procurement/contracts/resources/tender';

type Lots = NonNullable<StoredTender['lots']>;

/**
 * A tender with lots takes its money from them: the value is their sum, the step their smallest, the guarantee their sum where
 * any lot has one; currency and VAT are the tender's and shown so on each lot (tenders.md 6.3).
 */
export function withLotTotals(tender: StoredTender): StoredTender {
  const { lots = [] } = tender;
  const [first] = lots;
  if (first === undefined) return tender;
  const guarantee = guaranteeOf(tender, lots);
  // A tender of generation 0.1 may have lots before it has money of its own.
  const { value = first.value, minimalStep = first.minimalStep } = tender;
  return {
    ...tender,
    value: { ...value, amount: sum(lots.map((lot) => lot.value.amount)) },
    minimalStep: { ...minimalStep, amount: Math.min(...lots.map((lot) => lot.minimalStep.amount)) },
    ...(guarantee === undefined ? {} : { guarantee }),
    lots: lots.map((lot) => ({
      ...lot,
      value: { ...value, amount: lot.value.amount },
      minimalStep: { ...minimalStep, amount: lot.minimalStep.amount },
      ...(lot.guarantee === undefined || guarantee === undefined
        ? {}
        : { guarantee: { ...lot.guarantee, currency: guarantee.currency } }),
    })),
  };
}

function guaranteeOf(tender: StoredTender, lots: Lots): StoredTender['guarantee'] {
  const guarantees = lots.flatMap((lot) => (lot.guarantee === undefined ? [] : [lot.guarantee]));
  const currency = tender.guarantee?.currency ?? guarantees[0]?.currency;
  if (currency === undefined || guarantees.length === 0) return tender.guarantee;
  return { amount: sum(guarantees.map((one) => one.amount)), currency };
}

/** Exact to the kopeck: the sum of doubles is rounded to two digits more than money has. */
function sum(amounts: readonly number[]): number {
  return Number(amounts.reduce((total, amount) => total + amount, 0).toFixed(4));
}
