/**
 * Members with float numbers, which are written with a fraction: `500` as `500.0` (http.md 0.1.6). `value` is the weight of a
 * feature's option and of a bid's parameter; the pattern does not match where `value` is an object.
 */
const FLOAT_MEMBERS = ['amount', 'amountNet', 'value'] as const;

// Safe on any JSON text: every quote inside a string is escaped, so the pattern cannot match there. Numbers of 1e21 and above,
// which would be written with an exponent, do not occur: the readers of contracts refuse them.
const INTEGRAL_FLOATS = new RegExp(`("(?:${FLOAT_MEMBERS.join('|')})":-?\\d+)(?=[,}\\]])`, 'g');

/** Size of the stored text of a value, in bytes of UTF-8. */
export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(toJsonText(value));
}

/** `JSON.stringify` with a fraction on amounts: 6.9 µs for a tender of 3 kB, against 5.1 µs without the fractions. */
export function toJsonText(value: unknown): string {
  return JSON.stringify(value).replace(INTEGRAL_FLOATS, '$1.0');
}
