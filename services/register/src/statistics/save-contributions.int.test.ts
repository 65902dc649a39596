import { freshBus, type TestBus } from '@procurement/testing/bus';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contributionOf } from '../../test-support/contribution-of.ts';
import { tenderId } from '../../test-support/fake-owner.ts';
import { runningRegister, type RunningRegister } from '../../test-support/running-register.ts';
import { cellsOf, DAY_BUCKETS, SUMS } from './domain/statistic-cells.ts';
import { parsePublicTender } from '../revisions/domain/tender-columns.ts';
import { reindex } from '../follow/index-terms.ts';

let server: TestBus;
let register: RunningRegister;

beforeAll(async () => {
  server = await freshBus();
  register = await runningRegister(server);
});
afterAll(async () => {
  await register.close();
  await server.stop();
});

const KEYS = ['cube', 'period', 'isTest', 'method', 'cpv', 'region', 'buyer', 'currency'] as const;
// As text: every decimal counts.
const STORED = `SELECT concat_ws('|', cube, period, is_test, method, cpv, region, buyer, currency) AS key,
  ARRAY[${SUMS.map((sum) => `trim_scale(${sum}::numeric)`).join(', ')}]::text[] AS sums, buckets FROM statistic`;
const LISTED = `SELECT replace(id::text, '-', '') AS id, created, is_test AS "isTest", body FROM tender JOIN tender_body USING (id)
  WHERE listed`;

interface CellSums {
  readonly sums: readonly string[];
  readonly buckets: readonly number[];
}

/** Cells as they are stored; those without a tender must have no sums left. */
async function storedCells(): Promise<ReadonlyMap<string, CellSums>> {
  const { rows } = await register.database.pool.query<CellSums & { key: string }>(STORED);
  const isEmpty = ({ sums }: CellSums): boolean => sums[0] === '0';
  for (const row of rows.filter(isEmpty))
    expect(new Set([...row.sums, ...row.buckets.map(String)])).toEqual(new Set(['0']));
  return new Map(rows.filter((row) => !isEmpty(row)).map(({ key, sums, buckets }) => [key, { sums, buckets }]));
}

/** Cells by the newest texts alone. Amounts of the test have at most two decimals. */
async function computedCells(): Promise<ReadonlyMap<string, CellSums>> {
  const { rows } = await register.database.pool.query<{ created: string; isTest: boolean; body: string }>(LISTED);
  const cells = new Map<string, { sums: number[]; buckets: number[] }>();
  for (const { created, isTest, body } of rows) {
    const tender = parsePublicTender(body);
    const contribution = contributionOf(tender, { created: Number(created), isTest });
    for (const cell of cellsOf(contribution)) {
      const key = KEYS.map((name) => (name === 'isTest' ? (cell.isTest ? 't' : 'f') : cell[name]))
        .join('|')
        // What PostgreSQL cannot store.
        .replaceAll('\0', '\uFFFD');
      const found = cells.get(key) ?? { sums: SUMS.map(() => 0), buckets: DAY_BUCKETS.map(() => 0) };
      cells.set(key, {
        sums: SUMS.map((sum, n) => Math.round(((found.sums[n] ?? 0) + cell[sum]) * 100) / 100),
        buckets: found.buckets.map((count, n) => (n + 1 === cell.bucket ? count + 1 : count)),
      });
    }
  }
  return new Map([...cells].map(([key, { sums, buckets }]) => [key, { sums: sums.map(String), buckets }]));
}

async function expectEqualCells(): Promise<void> {
  const [stored, computed] = await Promise.all([storedCells(), computedCells()]);
  expect(stored).toEqual(computed);
  const { rows } = await register.database.pool.query(
    `SELECT scheme || '-' || code AS key, tenders, tests FROM party ORDER BY 1`,
  );
  const counted = [...computed].filter(([key]) => key.startsWith('buyer|'));
  const sumCounts = (buyer: string, mode: string): number =>
    counted
      .filter(([key]) => key.split('|')[6] === buyer && key.split('|')[2] === mode)
      .reduce((sum, [, { sums }]) => sum + Number(sums[0]), 0);
  const buyers = new Set(counted.map(([key]) => key.split('|')[6] ?? '').filter((key) => key !== ''));
  expect(rows).toEqual(
    [...buyers].toSorted().map((key) => ({ key, tenders: sumCounts(key, 'f'), tests: sumCounts(key, 't') })),
  );
}

const cents = fc.integer({ min: 0, max: 1_000_000 }).map((amount) => amount / 100);
const members = fc.record({
  status: fc.constantFrom('active.tendering', 'active.awarded', 'complete', 'unsuccessful', 'cancelled'),
  procurementMethodType: fc.constantFrom('belowThreshold', 'aboveThreshold'),
  value: fc.record({ amount: cents, currency: fc.constantFrom('UAH', 'USD') }),
  procuringEntity: fc
    .constantFrom('1', '2', '3\u0000')
    .map((id) => ({ name: `Ліцей ${id}`, identifier: { scheme: 'UA-EDR', id } })),
  numberOfBids: fc.integer({ min: 0, max: 3 }),
  items: fc.array(
    fc.record({
      classification: fc.constantFrom('30197630-1', '30213000-5', '03111000-2').map((id) => ({ scheme: 'CPV', id })),
      deliveryAddress: fc.constantFrom('Київ', 'Львівська область').map((region) => ({ region })),
    }),
    { maxLength: 3 },
  ),
  contracts: fc.array(
    fc.record({
      status: fc.constantFrom('active', 'pending'),
      dateSigned: fc.constantFrom('2026-05-25T00:00:00Z', '2026-07-25T00:00:00Z'),
      value: fc.record({ amount: cents, currency: fc.constant('UAH') }),
      implementation: fc.option(
        fc.record(
          {
            status: fc.constantFrom('active', 'terminated'),
            value: fc.record({ amount: cents, currency: fc.constant('UAH') }),
            amountPaid: fc.record({ amount: cents, currency: fc.constantFrom('UAH', 'USD') }),
            changes: fc.array(fc.record({ status: fc.constantFrom('active', 'pending') }), { maxLength: 2 }),
          },
          { requiredKeys: ['status'] },
        ),
        { nil: undefined },
      ),
    }),
    { maxLength: 2 },
  ),
});
const publication = fc.record({
  n: fc.integer({ min: 1, max: 12 }),
  listed: fc.integer({ min: 0, max: 7 }).map((n) => n > 0),
  test: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
  isRead: fc.integer({ min: 0, max: 15 }).map((n) => n > 0),
  members,
});

describe('statistics of followed tenders', () => {
  it('equal a recomputation from the newest texts after random lives, restarts and a restore of the owner (T1, A35)', async () => {
    const { owner } = register;
    const batches = fc.sample(fc.array(publication, { minLength: 100, maxLength: 100 }), { numRuns: 5, seed: 17 });
    for (const [round, batch] of batches.entries()) {
      const published = batch.map(({ n, isRead, members: own, ...rest }) =>
        owner.publish(tenderId(n), { ...rest, members: own, ...(isRead ? {} : { text: '{"data":7}' }) }),
      );
      const kept = published[10];
      if (round === 3 && kept !== undefined) owner.restore(kept, 2);
      const follower = register.follow({ rowsMax: 7, bytesMax: 1_000_000 });
      await register.caughtUp();
      await follower.stop();
    }
    await expectReadable();
  });

  it('are made again from the stored texts by the command', async () => {
    const { pool } = register.database;
    const deps = { pool, log: register.log };
    await pool.query('DELETE FROM statistic; DELETE FROM tender_contribution; DELETE FROM party');
    expect(await reindex([], deps, () => undefined)).toBe(0);
    await expectReadable();
  });
});

/** A tender whose newest text cannot be read keeps the contribution of the text before it: such are published again first. */
async function expectReadable(): Promise<void> {
  const { rows } = await register.database.pool.query<{ id: string; body: string }>(LISTED);
  const unread = rows.filter(({ body }) => body === '{"data":7}').map(({ id }) => id);
  for (const id of unread)
    register.owner.publish(id, { members: fc.sample(members, { numRuns: 1, seed: 3 })[0] ?? {} });
  const follower = register.follow();
  await register.caughtUp();
  await follower.stop();
  await expectEqualCells();
}
