import { parseInstant } from '@procurement/contracts/reading/instant';
import { describe, expect, it } from 'vitest';
import { cellChanges, cellsOf, DAY_BUCKETS, percentile } from './statistic-cells.ts';
import { contributionOf } from '../../../test-support/contribution-of.ts';

const CREATED = parseInstant('2026-03-31T23:30:00+03:00');

const item = (id: string, region: string) => ({
  classification: { scheme: 'CPV', id },
  deliveryAddress: { region },
});

const TENDER = {
  status: 'complete',
  procurementMethodType: 'belowThreshold',
  value: { amount: 1000.5, currency: 'UAH' },
  procuringEntity: { name: 'Ліцей', identifier: { scheme: 'UA-EDR', id: '25733061' } },
  items: [item('30197630-1', 'Київська область'), item('30213000-5', 'Марс'), item('03111000-2', 'Київська обл.')],
  numberOfBids: 2,
  contracts: [
    { status: 'active', dateSigned: '2026-04-20T10:00:00+03:00', value: { amount: 900, currency: 'UAH' } },
    { status: 'cancelled', dateSigned: '2026-05-20T10:00:00+03:00' },
  ],
};

const contributionWith = (members: object = {}) =>
  contributionOf({ ...TENDER, ...members }, { created: CREATED, isTest: false });

describe('the contribution of a tender', () => {
  it('has the day of its publication in the zone of the service, codes, regions and the days to the last signature', () => {
    expect(contributionWith()).toEqual({
      day: '2026-03-31',
      isTest: false,
      method: 'belowThreshold',
      buyer: { scheme: 'UA-EDR', code: '25733061', name: 'Ліцей' },
      currency: 'UAH',
      amount: 1000.5,
      outcome: 'complete',
      bids: 2,
      contracted: 900,
      signed: 1,
      amended: 0,
      terminated: 0,
      present: 900,
      daysToContract: 19,
      cpv: ['0311', '3019', '3021'],
      regions: ['UA-32', 'other'],
    });
  });

  it('counts what is not public, or has another shape, as absent', () => {
    const contribution = contributionWith({
      status: 'active.tendering',
      numberOfBids: 0,
      contracts: 'x',
      value: null,
      procuringEntity: [],
      items: 7,
    });
    expect(contribution).toEqual({
      day: '2026-03-31',
      isTest: false,
      method: 'belowThreshold',
      currency: '',
      outcome: 'active',
      cpv: [],
      regions: [],
    });
  });

  it('has no key that is too long for an index', () => {
    const long = 'Ґ'.repeat(100_000);
    const contribution = contributionWith({
      procurementMethodType: long,
      procuringEntity: { name: long, identifier: { scheme: long, id: long } },
      value: { amount: 1, currency: long },
    });
    for (const { method, buyer, currency } of cellsOf(contribution))
      expect(Buffer.byteLength(method + buyer + currency)).toBeLessThan(1_000);
  });
});

describe('the cells of a tender', () => {
  it('are one of its day and buyer, and of each code and region beside those of all', () => {
    const keys = cellsOf(contributionWith()).map(({ cube, period, cpv, region, buyer }) =>
      [cube, period, cpv, region, buyer].join(),
    );
    expect(keys).toEqual([
      'day,2026-03-31,,,',
      ...['', '03', '30'].flatMap((cpv) => ['', 'UA-32', 'other'].map((region) => `month,2026-03,${cpv},${region},`)),
      'buyer,2026-03,,,UA-EDR-25733061',
      'cpv,2026-03,031,,',
      'cpv,2026-03,301,,',
      'cpv,2026-03,302,,',
      'cpv,2026-03,0311,,',
      'cpv,2026-03,3019,,',
      'cpv,2026-03,3021,,',
    ]);
  });

  it('compare contracts with values of complete tenders only', () => {
    expect(cellsOf(contributionWith())[0]).toMatchObject({
      expected: 1000.5,
      contracted: 900,
      dated: 1,
      days: 19,
      bucket: 8,
    });
    expect(cellsOf(contributionWith({ status: 'active.awarded' }))[0]).toMatchObject({ expected: 0, contracted: 0 });
    expect(cellsOf(contributionWith({ numberOfBids: 1 }))[0]).toMatchObject({
      opened: 1,
      bids: 1,
      single: 1,
      complete: 1,
    });
  });
});

describe('percentile', () => {
  const countByBucket = (...days: readonly number[]): readonly number[] =>
    DAY_BUCKETS.map((first, n) => days.filter((one) => one >= first && one < (DAY_BUCKETS[n + 1] ?? Infinity)).length);

  it.each([
    [[], 0.5, undefined],
    [[0], 0.5, 0],
    [[0, 0, 5, 5], 0.5, 0],
    [[0, 0, 5, 5], 0.9, 5],
    [[1, 800], 0.9, 730],
  ])('of %j at %d is %s', (days, share, expected) => {
    expect(percentile(countByBucket(...days), share)).toBe(expected);
  });
});

describe('changes of cells', () => {
  it('have each cell once, with counts summed and amounts listed', () => {
    const contributions = [
      { contribution: contributionWith(), sign: 1 as const },
      { contribution: contributionWith({ value: { amount: 0.1, currency: 'UAH' } }), sign: 1 as const },
      { contribution: contributionWith({ numberOfBids: 1, contracts: [] }), sign: -1 as const },
    ];
    const changes = cellChanges(contributions);
    const keys = changes.map(({ cube, period, isTest, method, cpv, region, buyer, currency }) =>
      JSON.stringify([cube, period, isTest, method, cpv, region, buyer, currency]),
    );
    expect(keys).toHaveLength(cellsOf(contributionWith()).length);
    expect(new Set(keys).size).toBe(keys.length);
    for (const change of changes) {
      expect(change).toMatchObject({ tenders: 1, complete: 1, opened: 1, single: -1, dated: 2, days: 38 });
      expect(change).toMatchObject({ amount: [1000.5, 0.1, -1000.5], bids: [2, 2, -1], contracted: [900, 900] });
      expect(change.buckets).toEqual(DAY_BUCKETS.map((_first, n) => (n === 7 ? 2 : 0)));
    }
  });

  it('add what became of contracts to all cells, and compare values of complete tenders only', () => {
    const contracts = [
      {
        status: 'active',
        value: { amount: 900, currency: 'UAH' },
        implementation: {
          status: 'terminated',
          value: { amount: 950, currency: 'UAH' },
          amountPaid: { amount: 940, currency: 'UAH' },
          changes: [{ status: 'active' }],
        },
      },
    ];
    const sums = { signed: 1, amended: 1, terminated: 1, paid: 940 };
    expect(cellsOf(contributionWith({ contracts }))[0]).toMatchObject({ ...sums, contracted: 900, present: 950 });
    const running = cellsOf(contributionWith({ contracts, status: 'active.awarded' }))[0];
    expect(running).toMatchObject({ ...sums, contracted: 0, present: 0 });
  });

  it('keep cells of other currencies and modes apart', () => {
    const contributions = [
      contributionWith(),
      contributionWith({ value: { amount: 1, currency: 'USD' } }),
      { ...contributionWith(), isTest: true },
    ];
    const changes = cellChanges(contributions.map((contribution) => ({ contribution, sign: 1 })));
    expect(changes).toHaveLength(3 * cellsOf(contributionWith()).length);
    expect(changes.every(({ tenders }) => tenders === 1)).toBe(true);
  });
});
