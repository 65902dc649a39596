import type { StoredTender } from '@procurement/contracts/resources/tender';

type Lots = NonNullable<StoredTender['lots']>;

/**
 * Computes the amounts of a tender with lots (tenders.md 6.3): the value is the sum of the lots, the step their smallest if they have
 * steps, the guarantee the sum of those that exist. Each lot takes currency and VAT from the tender.
 */
export function withLotTotals(tender: StoredTender): StoredTender {
  const { lots = [] } = tender;
  const [first] = lots;
  if (first === undefined) return tender;
  const guarantee = sumGuarantees(tender, lots);
  // A tender of segment 0.1 may have lots and no value.
  const { value = first.value, minimalStep = first.minimalStep } = tender;
  // Without an auction neither the tender nor a lot has a step.
  const smallestStep = (...amounts: readonly (number | undefined)[]): Pick<StoredTender, 'minimalStep'> => {
    const own = amounts.filter((amount) => amount !== undefined);
    return minimalStep === undefined || own.length === 0
      ? {}
      : { minimalStep: { ...minimalStep, amount: Math.min(...own) } };
  };
  return {
    ...tender,
    value: { ...value, amount: sum(lots.map((lot) => lot.value.amount)) },
    ...smallestStep(...lots.map((lot) => lot.minimalStep?.amount)),
    ...(guarantee === undefined ? {} : { guarantee }),
    lots: lots.map((lot) => ({
      ...lot,
      value: { ...value, amount: lot.value.amount },
      ...smallestStep(lot.minimalStep?.amount),
      ...(lot.guarantee === undefined || guarantee === undefined
        ? {}
        : { guarantee: { ...lot.guarantee, currency: guarantee.currency } }),
    })),
  };
}

function sumGuarantees(tender: StoredTender, lots: Lots): StoredTender['guarantee'] {
  const guarantees = lots.flatMap((lot) => (lot.guarantee === undefined ? [] : [lot.guarantee]));
  const currency = tender.guarantee?.currency ?? guarantees[0]?.currency;
  if (currency === undefined || guarantees.length === 0) return tender.guarantee;
  return { amount: sum(guarantees.map((one) => one.amount)), currency };
}

/** A sum has no more decimals than its parts: the doubles 0.1 and 0.2 add up to more than 0.3. */
function sum(amounts: readonly number[]): number {
  const total = amounts.reduce((sumOfSome, amount) => sumOfSome + amount, 0);
  return Number(total.toFixed(Math.min(FIXED_DECIMALS_MAX, Math.max(...amounts.map(countDecimals)))));
}

/** The most that `toFixed` takes. */
const FIXED_DECIMALS_MAX = 100;

/** Decimals of the shortest decimal text of a number: 2 of 12.25, 7 of 1e-7. */
function countDecimals(number: number): number {
  const [digits = '', exponent = '0'] = String(number).split('e');
  const [, fraction = ''] = digits.split('.');
  return Math.max(0, fraction.length - Number(exponent));
}
