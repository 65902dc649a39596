import { describe, expect, it } from 'vitest';
import {
  coeficientOf,
  compareFractions,
  toFraction,
  normalizedAmount,
  printFraction,
  relevantFeatures,
  type RankedFeature,
} from './ranking.ts';

const weights = (...values: number[]): readonly RankedFeature[] =>
  values.map((value, n) => ({ code: `F${n}`, featureOf: 'tenderer', enum: [{ value: value / 2 }, { value }] }));
const offers = (...values: number[]) => values.map((value, n) => ({ code: `F${n}`, value }));

// bids-awards-auction.md 7, in the form that the service publishes.
const FIRST = '16212958658533786/12610078956637389';
const SECOND = '18014398509481984/12610078956637389';

describe('coeficientOf (bids-awards-auction.md 2.12)', () => {
  it.each([
    [weights(0.15, 0.15), offers(0.1, 0.1), FIRST],
    [weights(0.15, 0.15), offers(0.15, 0.15), SECOND],
    [weights(0.15, 0.05), offers(0.1, 0.05), '22818238112010513/19215358410114116'],
  ])('is exact: %j, %j', (features, parameters, expected) => {
    expect(printFraction(coeficientOf(features, parameters))).toBe(expected);
  });

  it('is 1 without features, without parameters, and with parameters of other features', () => {
    expect(printFraction(coeficientOf([], offers(0.1)))).toBe('1');
    expect(printFraction(coeficientOf(weights(0.1), []))).toBe('1');
    expect(printFraction(coeficientOf(weights(0.1), [{ code: 'X', value: 0.1 }]))).toBe('1');
  });
});

describe('normalizedAmount', () => {
  it.each([
    [469, offers(0.1, 0.1), '5914127030662935441/16212958658533786'],
    [479, offers(0.15, 0.15), '6040227820229309331/18014398509481984'],
    [364, offers(0.1, 0.1), '2295034370108004798/8106479329266893'],
    [409, offers(0.15, 0.15), '5157522293264692101/18014398509481984'],
    [450, offers(0.1, 0.1), '2837267765243412525/8106479329266893'],
    [500, offers(0.15, 0.15), '1576259869579673625/4503599627370496'],
  ])('of %d', (amount, parameters, expected) => {
    expect(printFraction(normalizedAmount(amount, weights(0.15, 0.15), parameters))).toBe(expected);
  });

  it('is the price without features', () => {
    expect(printFraction(normalizedAmount(400.5, [], []))).toBe('801/2');
    expect(printFraction(normalizedAmount(400, [], []))).toBe('400');
  });

  it('ranks amounts that are equal when rounded: 450 before 500', () => {
    const features = weights(0.15, 0.15);
    const first = normalizedAmount(450, features, offers(0.1, 0.1));
    const second = normalizedAmount(500, features, offers(0.15, 0.15));
    expect([compareFractions(first, second), compareFractions(second, first)]).toEqual([-1, 1]);
    expect(compareFractions(first, first)).toBe(0);
  });
});

describe('toFraction', () => {
  it.each([
    [0, '0'],
    [-0.5, '-1/2'],
    [0.1, '3602879701896397/36028797018963968'],
    [2 ** 60, String(2n ** 60n)],
    [Number.MIN_VALUE, `1/${2n ** 1074n}`],
  ])('of %d', (double, expected) => expect(printFraction(toFraction(double))).toBe(expected));

  it.each([NaN, Infinity])('refuses %d', (double) => expect(() => toFraction(double)).toThrow('not a finite number'));
});

describe('relevantFeatures', () => {
  const feature = (code: string, featureOf: string, relatedItem?: string): RankedFeature => ({
    code,
    featureOf,
    relatedItem,
    enum: [{ value: 0.1 }],
  });
  const features = [
    feature('tenderer', 'tenderer'),
    feature('lot', 'lot', 'L1'),
    feature('other lot', 'lot', 'L2'),
    feature('item', 'item', 'i1'),
    feature('other item', 'item', 'i2'),
  ];
  const items = [
    { id: 'i1', relatedLot: 'L1' },
    { id: 'i2', relatedLot: 'L2' },
  ];

  it('are those of the tenderer, of the lot and of its items', () => {
    expect(relevantFeatures(features, items, 'L1').map((one) => one.code)).toEqual(['tenderer', 'lot', 'item']);
  });

  it('are all without a lot', () => expect(relevantFeatures(features, items, undefined)).toEqual(features));
});
