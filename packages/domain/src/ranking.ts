/**
 * Exact arithmetic of non-price criteria (bids-awards-auction.md 2.12). A double is converted to its exact fraction and never
 * rounded, so that awards, the auction and published protocols rank identically.
 */

/** A fraction in lowest terms, with a positive denominator. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** The members of a feature that ranking uses. */
export interface RankedFeature {
  readonly code: string;
  readonly featureOf: string;
  readonly relatedItem?: string | undefined;
  readonly enum: readonly { readonly value: number }[];
}

/** The value that a bid chose for one feature. */
export interface RankedParameter {
  readonly code: string;
  readonly value: number;
}

const ONE: Fraction = { numerator: 1n, denominator: 1n };

/** The exact fraction m·2^e of a double. Throws on NaN and infinities. */
export function toFraction(double: number): Fraction {
  if (!Number.isFinite(double)) throw new Error(`not a finite number: ${double}`);
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, double);
  const raw = bits.getBigUint64(0);
  const exponent = Number((raw >> 52n) & 0x7ffn);
  const fraction = raw & 0xfffffffffffffn;
  // Subnormal numbers have no hidden bit.
  const mantissa = exponent === 0 ? fraction : fraction | 0x10000000000000n;
  const power = BigInt(Math.max(exponent, 1) - 1_075);
  const signed = double < 0 ? -mantissa : mantissa;
  return power >= 0n ? reduced(signed << power, 1n) : reduced(signed, 1n << -power);
}

/**
 * The coefficient K = 1 + v / (1 - V) of a bid: v is the sum of its chosen weights, V the sum of the largest weights. V is summed
 * as doubles in the order of the features, v as fractions. 1 when the bid has no parameter for any of the features.
 */
export function coeficientOf(features: readonly RankedFeature[], parameters: readonly RankedParameter[]): Fraction {
  const codes = new Set(features.map((feature) => feature.code));
  const relevant = parameters.filter((parameter) => codes.has(parameter.code));
  if (relevant.length === 0) return ONE;
  let largest = 0;
  for (const feature of features) largest += Math.max(...feature.enum.map((option) => option.value));
  let chosen: Fraction = { numerator: 0n, denominator: 1n };
  for (const parameter of relevant) chosen = add(chosen, toFraction(parameter.value));
  const rest = add(ONE, negate(toFraction(largest)));
  return add(ONE, divide(chosen, rest));
}

/** The amount that is compared: the price divided by K. Smaller is better. */
export function normalizedAmount(
  amount: number,
  features: readonly RankedFeature[],
  parameters: readonly RankedParameter[],
): Fraction {
  return divide(toFraction(amount), coeficientOf(features, parameters));
}

/** The features that count for a lot: those of the tenderer, of the lot and of its items. All when `lot` is `undefined`. */
export function relevantFeatures<F extends RankedFeature>(
  features: readonly F[],
  items: readonly { readonly id: string; readonly relatedLot?: string | undefined }[],
  lot: string | undefined,
): readonly F[] {
  if (lot === undefined) return features;
  const ofLot = new Set(items.filter((item) => item.relatedLot === lot).map((item) => item.id));
  return features.filter(({ featureOf, relatedItem }) => {
    if (featureOf === 'tenderer') return true;
    if (relatedItem === undefined) return false;
    return featureOf === 'lot' ? relatedItem === lot : ofLot.has(relatedItem);
  });
}

/** Negative when `a` is smaller, zero when both are equal. */
export function compareFractions(a: Fraction, b: Fraction): number {
  const [left, right] = [a.numerator * b.denominator, b.numerator * a.denominator];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** `numerator/denominator`, or only the numerator of a whole number: the form of `coeficient` and `amount_features`. */
export function printFraction({ numerator, denominator }: Fraction): string {
  return denominator === 1n ? String(numerator) : `${numerator}/${denominator}`;
}

function reduced(numerator: bigint, denominator: bigint): Fraction {
  let [a, b] = [numerator < 0n ? -numerator : numerator, denominator < 0n ? -denominator : denominator];
  while (b !== 0n) [a, b] = [b, a % b];
  const sign = denominator < 0n ? -1n : 1n;
  return { numerator: (sign * numerator) / a, denominator: (sign * denominator) / a };
}

function add(a: Fraction, b: Fraction): Fraction {
  return reduced(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);
}

function negate({ numerator, denominator }: Fraction): Fraction {
  return { numerator: -numerator, denominator };
}

function divide(a: Fraction, b: Fraction): Fraction {
  if (b.numerator === 0n) throw new Error('division by zero');
  return reduced(a.numerator * b.denominator, a.denominator * b.numerator);
}
