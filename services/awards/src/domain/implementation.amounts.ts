import { problem, type Problem } from '@procurement/contracts/problems/problems';
import type { StoredContract } from '@procurement/contracts/resources/contract';
import { deepEqual } from '@procurement/domain/equality';

type Money = StoredContract['value'];

/** An amount as it is printed: `units` · 10^-`decimals`. */
interface Decimal {
  readonly units: bigint;
  readonly decimals: bigint;
}

/** The printed number, not its binary fraction: 1.2 times 0.1 is 0.12. Amounts are below 1e21, so no exponent is positive. */
function toDecimal(amount: number): Decimal {
  const [mantissa = '', exponent = '0'] = String(amount).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { units: BigInt(whole + fraction), decimals: BigInt(fraction.length - Number(exponent)) };
}

function isAtMost(one: Decimal, other: Decimal): boolean {
  return one.units * 10n ** other.decimals <= other.units * 10n ** one.decimals;
}

/** 1.2 times the amount, rounded up to the cent. */
function withTwentyPercent({ units, decimals }: Decimal): Decimal {
  const scale = 10n ** decimals;
  return { units: (units * 120n + scale - 1n) / scale, decimals: 2n };
}

/** Whether an amount with VAT belongs to this amount without it: it is not less, and at most 20 % more (contracting.md 4.3). */
export function differsByTax(amount: number, amountNet: number): boolean {
  const [gross, net] = [toDecimal(amount), toDecimal(amountNet)];
  return isAtMost(net, gross) && isAtMost(gross, withTwentyPercent(net));
}

/** Checks 6, 7 and 9 of contracting.md 4.3, of a value that changes and has `amountNet`. */
export function netAmountRefusal(member: 'value' | 'amountPaid', before: Money, after: Money): Problem | undefined {
  if (after?.amountNet === undefined || deepEqual(before, after)) return undefined;
  const { amount, amountNet, valueAddedTaxIncluded } = after;
  if (!valueAddedTaxIncluded) return amount === amountNet ? undefined : problem('contract.net-equal', { member });
  return differsByTax(amount, amountNet) ? undefined : problem('contract.net-tax', { member });
}
