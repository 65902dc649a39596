import { createHash } from 'node:crypto';
import { padId } from '@procurement/testing/ids';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runningService, type RunningService } from '../../test-support/running-service.ts';
import { setPosition, storeRevisions } from '../../test-support/stored-revisions.ts';
import { indexAll } from '../../test-support/index-all.ts';

let running: RunningService;

interface Entry {
  readonly id: string;
  readonly title?: string;
}

function tender(n: number, members: Readonly<Record<string, unknown>> = {}) {
  const digits = String(n).padStart(6, '0');
  return {
    id: padId(n.toString(16)),
    tenderID: `UA-2026-03-31-${digits}`,
    dateModified: `2026-03-31T12:00:00.${digits}+03:00`,
    status: 'active.enquiries',
    procurementMethodType: 'belowThreshold',
    value: { amount: n, currency: 'UAH' },
    procuringEntity: { name: 'Ліцей', identifier: { scheme: 'UA-EDR', id: '25733061' } },
    ...members,
  };
}

async function store(tenders: readonly ReturnType<typeof tender>[]): Promise<void> {
  await storeRevisions(
    running.database.pool,
    tenders.map((one) => ({ rev: 1, tender: one })),
  );
  await indexAll(running.deps);
}

const search = async (query: string) => running.get(`/search?${query}`);

async function titles(query: string): Promise<readonly (string | undefined)[]> {
  const answer = await search(query);
  if (answer.statusCode !== 200) throw new Error(answer.body);
  return answer.json().data.map(({ title }: Entry) => title);
}

/** All tenders of a walk, and the number of its pages. */
async function walk(query: string, between: () => Promise<void> = async () => undefined) {
  const ids: string[] = [];
  let [path, pages] = [`/search?${query}`, 0];
  for (;;) {
    const answer = await running.get(path);
    if (answer.statusCode !== 200) throw new Error(answer.body);
    const { data, next_page: next } = answer.json();
    ids.push(...data.map(({ id }: Entry) => id));
    pages += 1;
    if (next === undefined) return { ids, pages };
    path = next.path.replace('/api/2.5', '');
    await between();
  }
}

const item = (id: string, members: object = {}) => ({ classification: { scheme: 'CPV', id }, ...members });

const TENDERS = [
  tender(1, { title: 'Закупівля паперу', items: [item('30197630-1')] }),
  tender(2, { title: 'Паперовий рушник', status: 'complete' }),
  tender(3, { title: "Комп'ютер А4", items: [item('30213000-5')] }),
  tender(4, { title: 'Office papers', title_en: 'Office papers', value: { amount: 7, currency: 'USD' } }),
  tender(5, {
    title: 'Ремонт',
    items: [{ deliveryAddress: { region: 'Київська область' } }],
    awards: [{ suppliers: [{ identifier: { scheme: 'UA-EDR', id: '777' } }] }],
    bids: [{ tenderers: [{ identifier: { scheme: 'UA-EDR', id: '888' } }] }],
    questions: [{ title: 'таємниця' }],
  }),
  tender(6, { title: 'Папір тестовий', mode: 'test' }),
];

beforeAll(async () => {
  running = await runningService();
  await setPosition(running.database.pool, 1n);
  await store(TENDERS);
});
afterAll(async () => {
  await running.close();
});

describe('GET /search', () => {
  it.each([
    ['q=папір', ['Закупівля паперу']],
    ['q=папір&mode=_all_', ['Папір тестовий', 'Закупівля паперу']],
    ['q=папір&mode=test', ['Папір тестовий']],
    ['q=комп’ютер', ["Комп'ютер А4"]],
    ['q=компютер', ["Комп'ютер А4"]],
    ['q=A4', ["Комп'ютер А4"]],
    ['q=paper', ['Office papers']],
    ['q=UA-2026-03-31-000005', ['Ремонт']],
    ['q=30190000-7', ['Закупівля паперу']],
    ['cpv=30190000-7', ['Закупівля паперу']],
    ['cpv=302,3019', ["Комп'ютер А4", 'Закупівля паперу']],
    ['q="закупівля паперу"', ['Закупівля паперу']],
    ['q="паперу закупівля"', []],
    ['q=папер*', ['Паперовий рушник', 'Закупівля паперу']],
    ['q=папер* -рушник', ['Закупівля паперу']],
    ['q=ремонт OR рушник', ['Ремонт', 'Паперовий рушник']],
    ['q=таємниця', []],
    ['region=UA-32', ['Ремонт']],
    ['supplier=777', ['Ремонт']],
    ['bidder=UA-EDR-888', ['Ремонт']],
    ['status=complete', ['Паперовий рушник']],
    ['currency=USD', ['Office papers']],
    ['amountFrom=2&amountTo=3&sort=-amount', ["Комп'ютер А4", 'Паперовий рушник']],
    ['buyer=25733061&q=ремонт', ['Ремонт']],
    ['modifiedTo=2026-03-30', []],
    ['createdFrom=2026-03-31&createdTo=2026-03-31&q=ремонт', ['Ремонт']],
    ['buyer=404', []],
  ])('finds by %s', async (query, expected) => {
    expect(await titles(encodeURI(query))).toEqual(expected);
  });

  it('answers summaries, totals and facets', async () => {
    const body = (await search(encodeURI('q=папір&total=1&facets=status,cpv,buyer'))).json();
    expect(body).toEqual({
      data: [
        {
          id: TENDERS[0]?.id,
          tenderID: TENDERS[0]?.tenderID,
          dateModified: TENDERS[0]?.dateModified,
          status: 'active.enquiries',
          procurementMethodType: 'belowThreshold',
          title: 'Закупівля паперу',
          value: { amount: 1, currency: 'UAH' },
          procuringEntity: { name: 'Ліцей', identifier: { scheme: 'UA-EDR', id: '25733061' } },
          cpv: ['30197630-1'],
          region: [],
          created: TENDERS[0]?.dateModified,
        },
      ],
      total: { value: 1, relation: 'eq' },
      facets: {
        status: [{ key: 'active.enquiries', count: 1 }],
        cpv: [{ key: '30', count: 1 }],
        buyer: [{ key: 'UA-EDR-25733061', count: 1 }],
        exact: true,
        of: 1,
      },
    });
    expect((await search('total=1')).json().total).toEqual({ value: 5, relation: 'eq' });
  });

  it.each([
    ['word=x', 400, 'word'],
    ['q=%22open', 400, 'q'],
    ['q=-paper', 400, 'q'],
    ['q=the', 400, 'q'],
    ['ids=1', 400, 'ids'],
    ['sort=price', 400, 'sort'],
    ['sort=relevance&status=active', 400, 'sort'],
    ['sort=relevance&q=-paper&status=active', 400, 'sort'],
    ['limit=51&expand=1', 400, 'limit'],
    ['limit=101', 400, 'limit'],
    ['createdFrom=soon', 400, 'createdFrom'],
    ['cpv=3', 400, 'cpv'],
    ['facets=title', 400, 'facets'],
    ['cursor=AAAA', 404, 'cursor'],
  ])('refuses %s', async (query, status, name) => {
    const answer = await search(query);
    expect([answer.statusCode, answer.json().errors[0].name]).toEqual([status, name]);
  });

  it.each([
    `q=${'о'.repeat(256)}`,
    `q=${Array.from({ length: 10 }, (_, n) => `абв${n}*`).join(' ')}`,
    'q=пап* OR зак* OR рем* OR ком*',
    'q=-а1 -б2&status=active',
    'q="a" "b',
    "q='a':* & !b | (c <-> d) \\ ''",
    'q=%00',
    'q=%FF%FE',
    'createdTo=9999-12-31&createdFrom=0001-01-01',
    'amountFrom=999999999999999.999999',
    `buyer=${Array.from({ length: 50 }, (_, n) => `${n}'\\%00`).join()}`,
    `q=${'x'.repeat(100_000)}`,
  ])('answers the query %# within 2 s of a quiet machine, and never 500 (A33)', async (query) => {
    const isQuick = async (): Promise<boolean> => {
      const began = performance.now();
      const { statusCode, body } = await search(query.includes('%') ? query : encodeURI(query));
      expect([[200, 400, 422].includes(statusCode), body.slice(0, 300)]).toEqual([true, expect.any(String)]);
      return performance.now() - began < 2_000;
    };
    // A busy machine may delay one attempt. One that is never quick is too expensive.
    expect((await isQuick()) || (await isQuick()) || (await isQuick()) || (await isQuick())).toBe(true);
  });

  it('answers whole tenders by expand, as they were published', async () => {
    const { text } = (
      await running.database.pool.query<{ text: string }>('SELECT body AS text FROM tender_body WHERE id = $1', [
        TENDERS[0]?.id,
      ])
    ).rows[0] ?? { text: '' };
    const { body } = await search(encodeURI('q=папір&expand=1'));
    expect(body).toBe(`{"data":[${text.slice('{"data":'.length, -1)}]}`);
  });

  it('offers similar words for one that occurs nowhere', async () => {
    const { data, spelling } = (await search(encodeURI('q=комютер'))).json();
    expect([data, spelling]).toEqual([[], { комютер: ['компютер'] }]);
    expect((await search(encodeURI('q=комютер OR ремонт'))).json().data).toHaveLength(1);
    expect((await search(encodeURI('q=ремонт -комютер'))).json()).not.toHaveProperty('spelling');
    expect((await search('q=xqzw')).json()).not.toHaveProperty('spelling');
  });
});

describe('walks of a search', () => {
  const many = Array.from({ length: 300 }, (_, n) => {
    const id = createHash('md5').update(String(n)).digest('hex');
    const title = n % 3 === 0 ? 'крейда біла' : 'дошка';
    return { ...tender(1_000 + n, { title, value: { amount: n % 10, currency: 'UAH' } }), id };
  });
  const chalk = many.filter(({ title }: Entry) => title !== 'дошка').map(({ id }) => id);

  beforeAll(async () => {
    await store(many);
  });

  it.each(['-created', 'created', 'amount', '-amount', '-modified'])(
    'give each tender once in the order %s, while 20 writers change others (A32)',
    async (sort) => {
      let written = 0;
      const write = async (): Promise<void> => {
        const writers = Array.from({ length: 20 }, () => (written += 1));
        await store(writers.map((n) => tender(2_000 + n, { title: 'інше', dateModified: later() })));
      };
      const { ids } = await walk(`q=${encodeURIComponent('крейда')}&sort=${sort}&limit=40`, write);
      expect(ids.toSorted()).toEqual(chalk.toSorted());
      const all = (await walk(`sort=${sort}&limit=100`)).ids;
      expect(new Set(all).size).toBe(all.length);
      expect(many.every(({ id }) => all.includes(id))).toBe(true);
    },
  );

  it('end a page where the texts of whole tenders no longer fit', async () => {
    const large = [1, 2, 3].map((n) =>
      tender(9_000 + n, { title: 'манекен', unindexed: 'x'.repeat(3_500_000), dateModified: later() }),
    );
    await store(large);
    const query = `q=${encodeURIComponent('манекен')}&expand=1`;
    const first = (await search(query)).json();
    expect(first.data).toHaveLength(2);
    const { ids, pages } = await walk(query);
    expect([ids.toSorted(), pages]).toEqual([large.map(({ id }) => id).toSorted(), 2]);
  });

  let last = 500_000;
  function later(): string {
    last += 1;
    return `2026-03-31T12:00:00.${last}+03:00`;
  }
});

describe('the order by relevance', () => {
  const only = (n: number, members: object) =>
    tender(8_000 + n, { title: 'інше', dateModified: `2026-03-31T13:00:00.00000${n}+03:00`, ...members });
  const ranked = [
    only(1, { title: 'Глобус' }),
    only(2, { items: [{ description: 'глобус' }] }),
    only(3, { title: 'Глобуси' }),
    only(4, { description: 'глобус' }),
    only(5, { procuringEntity: { name: 'Глобус', identifier: { scheme: 'UA-EDR', id: '1' } } }),
  ];

  beforeAll(async () => {
    await store(ranked.toReversed());
  });

  it('is that of a query with words: by place, and the word as it was asked for counts twice as much again', async () => {
    const query = `q=${encodeURIComponent('глобус')}&limit=2`;
    const { ids, pages } = await walk(query);
    expect(ids).toEqual(ranked.map(({ id }) => id));
    expect(pages).toBe(3);
    expect((await walk(`${query}&sort=relevance`)).ids).toEqual(ids);
    expect((await walk(`${query}&sort=created`)).ids).toEqual(ids);
    expect((await walk(query.replace('%D1%81&', '%D1%81%20-%D1%82%D0%B5%D1%81%D1%82&'))).ids).toEqual(ids);
  });

  it('refuses a cursor of another order', async () => {
    const query = `q=${encodeURIComponent('глобус')}&limit=2`;
    const { next_page: next } = (await search(`${query}&sort=-created`)).json();
    expect((await search(`${query}&cursor=${next.cursor}`)).statusCode).toBe(404);
  });

  it('ends after 1,000', async () => {
    const { pool } = running.database;
    await pool.query(`INSERT INTO tender (id, position, rev, created, listed, is_test, complete, status, method, cpv, regions)
      SELECT md5('many' || n)::uuid, 1e15::bigint + n, 1, n, true, false, true, 'complete', '', '{}', '{}'
      FROM generate_series(1, 1200) AS n`);
    await pool.query(
      `INSERT INTO tender_words SELECT md5('many' || n)::uuid, '''многе'':1A'::tsvector FROM generate_series(1, 1200) AS n`,
    );
    const { ids } = await walk(`q=${encodeURIComponent('многе')}&limit=100`);
    expect(new Set(ids).size).toBe(1_000);
    expect(ids).toHaveLength(1_000);
  });
});
