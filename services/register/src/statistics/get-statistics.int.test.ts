import { padId } from '@procurement/testing/ids';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runningService, type RunningService } from '../../test-support/running-service.ts';
import { setPosition, storeRevisions } from '../../test-support/stored-revisions.ts';
import { indexAll } from '../../test-support/index-all.ts';

let running: RunningService;

const BUYERS = ['Ліцей імені Шевченка', 'Міська лікарня № 1', 'Обласна лікарня', 'Ліцей № 2 "Об’єднання"'];

/** Every number of tenders below varies by `n`: months, methods, outcomes, amounts, codes, regions. */
function tender(n: number) {
  const digits = String(n).padStart(6, '0');
  const month = String((n % 3) + 1).padStart(2, '0');
  const outcome = ['complete', 'unsuccessful', 'active.tendering', 'cancelled'][n % 4];
  const buyer = n % BUYERS.length;
  return {
    id: padId(n.toString(16)),
    tenderID: `UA-2026-${month}-10-${digits}`,
    dateModified: `2026-${month}-10T12:00:00.${digits}+02:00`,
    status: outcome,
    procurementMethodType: n % 5 === 0 ? 'aboveThreshold' : 'belowThreshold',
    value: { amount: n + 0.1, currency: n % 7 === 0 ? 'USD' : 'UAH' },
    procuringEntity: { name: BUYERS[buyer], identifier: { scheme: 'UA-EDR', id: `2573306${buyer}` } },
    items: [
      { classification: { scheme: 'CPV', id: '30197630-1' }, deliveryAddress: { region: 'Київ' } },
      ...(n % 2 === 0
        ? [{ classification: { scheme: 'CPV', id: '30213000-5' }, deliveryAddress: { region: 'Львівська область' } }]
        : []),
    ],
    ...(outcome === 'complete'
      ? {
          numberOfBids: (n % 3) + 1,
          contracts: [
            {
              status: 'active',
              dateSigned: `2026-${month}-${20 + (n % 5)}T12:00:00Z`,
              value: { amount: n, currency: 'UAH' },
              ...(n % 8 === 0
                ? {
                    implementation: {
                      status: 'terminated',
                      value: { amount: n + 0.3, currency: 'UAH' },
                      amountPaid: { amount: n + 0.2, currency: 'UAH' },
                      changes: [{ status: n % 16 === 0 ? 'active' : 'pending' }],
                    },
                  }
                : {}),
            },
          ],
        }
      : {}),
    ...(n > 40 ? { mode: 'test' } : {}),
  };
}

const COUNT = 48;
const REAL = 40;

beforeAll(async () => {
  running = await runningService();
  await setPosition(running.database.pool, 1n);
  await storeRevisions(
    running.database.pool,
    Array.from({ length: COUNT }, (_, n) => ({ rev: 1, tender: tender(n + 1) })).toSorted((one, other) =>
      one.tender.dateModified < other.tender.dateModified ? -1 : 1,
    ),
  );
  await indexAll(running.deps);
});
afterAll(async () => {
  await running.close();
});

async function statistics(query: string) {
  const answer = await running.get(`/statistics?${query}`);
  if (answer.statusCode !== 200) throw new Error(answer.body);
  return answer.json();
}

/** The sums of all cells. */
function totals(cells: readonly Record<string, unknown>[]): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const cell of cells)
    for (const [name, value] of Object.entries(cell))
      if (typeof value === 'number' && !/competition|singleBid|savingsRate/.test(name))
        sums[name] = Math.round(((sums[name] ?? 0) + value) * 100) / 100;
  return sums;
}

describe('GET /statistics', () => {
  it('gives the same sums by day, month, method and buyer (T2), and says where cells overlap', async () => {
    const range = 'from=2026-01-01&to=2026-03-31';
    const all = await Promise.all(
      ['day', 'month', 'method', 'buyer'].map(async (by) => statistics(`by=${by}&${range}`)),
    );
    const sums = all.map(({ data }) => totals(data));
    expect(new Set(sums.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(sums[0]?.['tenders']).toBe(REAL);
    expect(all.map(({ overlapping }) => overlapping)).toEqual([undefined, undefined, undefined, undefined]);
    const codes = await statistics(`by=cpv&${range}&cpvDigits=3`);
    expect([
      codes.overlapping,
      codes.data.map(({ key, tenders }: { key: string; tenders: number }) => [key, tenders]),
    ]).toEqual([
      true,
      [
        ['301', REAL],
        ['302', REAL / 2],
      ],
    ]);
    expect((await statistics(`by=month&${range}&mode=_all_`)).data).toHaveLength(3);
    expect(totals((await statistics(`by=month&${range}&mode=test`)).data)['tenders']).toBe(COUNT - REAL);
  });

  it('answers the measures of a cell', async () => {
    // Numbers 1 to 40 that leave 0 by 4 and 1 by 3: 4, 16, 28, 40.
    const { data, from, to } = await statistics('by=month&from=2026-02-01&to=2026-02-28&method=belowThreshold');
    const complete = Array.from({ length: REAL }, (_, n) => tender(n + 1)).filter(
      ({ dateModified, procurementMethodType }) =>
        dateModified.startsWith('2026-02') && procurementMethodType === 'belowThreshold',
    );
    const uah = complete.filter(({ value }) => value.currency === 'UAH');
    const [cell] = data;
    expect([from, to]).toEqual(['2026-02-01', '2026-02-28']);
    expect(cell).toMatchObject({
      key: '2026-02',
      tenders: complete.length,
      amount: Math.round(uah.reduce((sum, { value }) => sum + value.amount, 0) * 10) / 10,
      otherCurrencies: { USD: { tenders: complete.length - uah.length } },
      complete: complete.filter(({ status }) => status === 'complete').length,
      opened: complete.filter(({ status }) => status === 'complete').length,
    });
    // Contracts of tenders in hryvnias: those of 4, 16 and 28 are of this month and method; 28 is in dollars.
    expect(cell).toMatchObject({ signed: 3, amended: 1, terminated: 1, contractedNow: 20.3, paid: 16.2, overrun: 0.3 });
    expect(cell.savings).toBeCloseTo(cell.expected - cell.contracted);
    expect(cell.daysToContract.count).toBe(cell.complete);
    expect(cell.competition).toBeCloseTo(cell.bids / cell.opened, 3);
  });

  it('filters by region, codes and buyer, and pages through the largest', async () => {
    const range = 'from=2026-01-01&to=2026-03-31';
    expect(totals((await statistics(`by=month&${range}&region=UA-46&cpv=30`)).data)['tenders']).toBe(REAL / 2);
    expect((await statistics(`by=region&${range}`)).data.map(({ key }: { key: string }) => key)).toEqual([
      'UA-30',
      'UA-46',
    ]);
    const { data } = await statistics(`by=buyer&${range}&buyer=UA-EDR-25733061`);
    expect(data).toMatchObject([{ key: 'UA-EDR-25733061', label: BUYERS[1], tenders: REAL / 4 }]);
    const keys: string[] = [];
    let path = `/statistics?by=buyer&${range}&sort=-savingsRate&limit=3`;
    for (let page = 0; page < 2; page += 1) {
      const answer = (await running.get(path)).json();
      keys.push(...answer.data.map(({ key }: { key: string }) => key));
      path = answer.next_page?.path.replace('/api/2.5', '');
    }
    expect([new Set(keys).size, keys.length, path]).toEqual([4, 4, undefined]);
    const byOverrun = (await statistics(`by=buyer&${range}&sort=-overrun`)).data;
    expect(byOverrun.map(({ overrun }: { overrun: number }) => overrun)).toEqual([1.5, 0, 0, 0]);
    const { next_page: next } = await statistics(`by=buyer&${range}&limit=1`);
    expect((await running.get(`/statistics?by=buyer&${range}&sort=amount&cursor=${next.cursor}`)).statusCode).toBe(404);
  });

  it.each([
    ['', 'by'],
    ['by=month&limit=1', 'limit'],
    ['by=month&ids=1', 'ids'],
  ])('refuses %s', async (query, name) => {
    const answer = await running.get(`/statistics?${query}`);
    expect([answer.statusCode, answer.json().errors[0].name]).toEqual([400, name]);
  });
});

describe('GET /search/buyers', () => {
  const names = async (query: string): Promise<readonly string[]> => {
    const answer = await running.get(encodeURI(`/search/buyers?q=${query}`));
    if (answer.statusCode !== 200) throw new Error(answer.body);
    return answer.json().data.map(({ name }: { name: string }) => name);
  };

  it.each([
    ['лікар', [BUYERS[1], BUYERS[2]]],
    ['ліцей імені', [BUYERS[0]]],
    ["об'єднання", [BUYERS[3]]],
    ['2573306', BUYERS],
    ['шевченко', [BUYERS[0]]],
    ['%%%abc', []],
  ])('finds by %s', async (query, expected) => {
    expect((await names(query)).toSorted()).toEqual([...expected].toSorted());
  });

  it('counts the tenders that the mode asks for', async () => {
    const read = async (mode: string) => (await running.get(encodeURI(`/search/buyers?q=25733060${mode}`))).json().data;
    expect((await read(''))[0]).toEqual({ scheme: 'UA-EDR', id: '25733060', name: BUYERS[0], tenders: 10 });
    expect([(await read('&mode=test'))[0].tenders, (await read('&mode=_all_'))[0].tenders]).toEqual([2, 12]);
  });

  it.each(['', 'q=ab', 'q=...', `q=${'x'.repeat(257)}`, 'q=%00abc', 'q=abc&sort=1'])('refuses %s', async (query) => {
    expect((await running.get(`/search/buyers?${query}`)).statusCode).toBe(400);
  });
});
