import type { StoredTender } from '@procurement/contracts/resources/tender';

type Lots = NonNullable<StoredTender['lots']>;

/**
 * Computes the amounts of a tender with lots (tenders.md 6.3): the value is the sum of the lots, the step their smallest, the
 * guarantee the sum of those that exist. Each lot takes currency and VAT from the tender.
 */
export function withLotTotals(tender: StoredTender): StoredTender {
  const { lots = [] } = tender;
  const [first] = lots;
  if (first === undefined) return tender;
  const guarantee = guaranteeOf(tender, lots);
  // A tender of segment 0.1 may have lots and no value.
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

/** Rounded to 4 digits, two more than money has, to remove the error of adding doubles. */
function sum(amounts: readonly number[]): number {
  return Number(amounts.reduce((total, amount) => total + amount, 0).toFixed(4));
}
