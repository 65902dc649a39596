/** A number in its shortest printed form: `units` · 10^-`scale`. */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

const NUMBER_FORM = /^(-?\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/;

/** The decimal that a number is printed as, such as 0.3: not the binary fraction that it is stored as. */
export function toDecimal(value: number): Decimal {
  const match = NUMBER_FORM.exec(String(value));
  if (match === null) throw new Error(`not a finite number: ${value}`);
  const [, whole = '0', fraction = '', exponent = '0'] = match;
  const scale = fraction.length - Number(exponent);
  const units = BigInt(whole + fraction);
  return scale >= 0 ? { units, scale } : { units: units * 10n ** BigInt(-scale), scale: 0 };
}

export function subtract(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { units: scaled(a, scale) - scaled(b, scale), scale };
}

/** Negative when `a` is smaller, zero when both are equal. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const { units } = subtract(a, b);
  if (units === 0n) return 0;
  return units < 0n ? -1 : 1;
}

/** Prints a decimal with a fraction and without an exponent: `444.0`, `0.000001`. */
export function printDecimal({ units, scale }: Decimal): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '');
  const whole = digits.slice(0, digits.length - scale);
  return `${units < 0n ? '-' : ''}${whole}.${scale === 0 || fraction === '' ? '0' : fraction}`;
}

/** The largest number that is not above the decimal. Rounding up would show a limit that the room then refuses. */
export function numberAtMost(decimal: Decimal): number {
  const nearest = Number(printDecimal(decimal));
  return compareDecimals(toDecimal(nearest), decimal) <= 0 ? nearest : nextBelow(nearest);
}

/** The next smaller number. For a value above zero, it has the pattern of bits just before. */
function nextBelow(value: number): number {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  bits.setBigInt64(0, bits.getBigInt64(0) - 1n);
  return bits.getFloat64(0);
}

function scaled({ units, scale }: Decimal, to: number): bigint {
  return units * 10n ** BigInt(to - scale);
}
