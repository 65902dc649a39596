import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareDecimals, toDecimal, numberAtMost, printDecimal, subtract } from './decimal.ts';

describe('decimals', () => {
  it.each([
    [0.3, 0.1, '0.2'],
    [100.1, 10.2, '89.9'],
    [500, 35, '465.0'],
    [1e21, 1e-7, '999999999999999999999.9999999'],
    [0.1, 0.1, '0.0'],
    [1, 2.5, '-1.5'],
    [1e-7, 0, '0.0000001'],
  ])('%d - %d is %s', (a, b, expected) => {
    expect(printDecimal(subtract(toDecimal(a), toDecimal(b)))).toBe(expected);
  });

  it('print a text that reads as the same number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(Number(printDecimal(toDecimal(value)))).toBe(value === 0 ? 0 : value);
      }),
    );
  });

  it('have a largest number that is not above them', () => {
    const amount = fc.double({ min: 0.01, max: 1e18, noNaN: true });
    fc.assert(
      fc.property(amount, fc.double({ min: 0, max: 1, noNaN: true }), (entry, step) => {
        const limit = subtract(toDecimal(entry), toDecimal(step));
        if (limit.units <= 0n) return;
        expect(compareDecimals(toDecimal(numberAtMost(limit)), limit)).toBeLessThanOrEqual(0);
      }),
    );
    // The nearest number to 99999999999999999.99 is 100000000000000000.
    expect(numberAtMost(subtract(toDecimal(1e17), toDecimal(0.01)))).toBeLessThan(1e17);
  });

  it('refuse what no JSON number is', () => {
    expect(() => toDecimal(Number.NaN)).toThrow('not a finite number');
  });
});
