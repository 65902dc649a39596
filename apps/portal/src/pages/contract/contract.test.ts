import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { doubleDeps, type DoubleApi } from '../../../test-support/api-double.ts';
import { showcaseApi } from '../../../test-support/showcase/api.ts';
import { contract, contracts } from '../../../test-support/showcase/contracts.ts';
import { complete } from '../../../test-support/showcase/tenders.ts';
import { buildApp } from '../../app.ts';

const WEIGHT_MAX = 16_000;

async function ask(url: string, api: DoubleApi = showcaseApi, isSandbox = false) {
  const deps = doubleDeps(api, { isSandbox });
  const app = buildApp(deps);
  const { statusCode, headers, body } = await app.inject({ url, headers: { host: 'portal.example' } });
  await app.close();
  const text = body
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('\u00a0', ' ')
    .replaceAll(/\s+/g, ' ');
  return { status: statusCode, headers, html: body, text, calls: deps.calls };
}

const NONSENSE = /undefined|null|NaN|\[object|Infinity/;
const [signedAs] = complete.contracts ?? [];
if (signedAs === undefined) throw new Error('the tender of the pictures has no contract');
const ADDRESS = `/contracts/${contract.id}`;

describe('GET /contracts/{id}', () => {
  it.each([ADDRESS, `/en${ADDRESS}`])('is one page within its weight at %s', async (url) => {
    const { status, html, calls } = await ask(url);
    expect(status).toBe(200);
    expect(html.match(/<h1/g)).toHaveLength(1);
    expect(html).not.toMatch(NONSENSE);
    expect(gzipSync(html).length).toBeLessThan(WEIGHT_MAX);
    expect(calls).toEqual([`/api/2.5/contracts/${contract.id}`, `/api/2.5/tenders/${complete.id}`]);
  });

  it('says what it costs now, what was signed, and what was paid', async () => {
    const { text } = await ask(ADDRESS);
    expect(text).toContain('Договір виконується. Строк його дії – до 31 грудня 2026');
    expect(text).toContain('Ціна договору 161 300,00 грн з ПДВ · без ПДВ 134 416,67 грн');
    expect(text).toContain('Ціна 158 200,00 грн з ПДВ 161 300,00 грн з ПДВ на 2% більше');
    expect(text).toContain('2 платежі на 79 720,00 грн , це 49,4% ціни договору');
  });

  it('shows amendments with their reasons and papers, and payments in order with what was paid until each', async () => {
    const { text, html } = await ask(`/en${ADDRESS}`);
    expect(text).toContain(
      'Amendment No. 27/2026-1 In force Signed 17 November 2026 · published 17 November 2026, 15:20 Changed price of a unit',
    );
    expect(text).toContain(
      'Amendment In preparation in preparation since 24 November 2026, 10:05 Longer term · Better quality',
    );
    const amendment = /<article class="thread">.*?<\/article>/s.exec(html)?.[0];
    expect(amendment).toContain('27-2026-1.pdf');
    expect(/id="documents".*$/s.exec(html)?.[0]).not.toContain('27-2026-1.pdf');
    const totals = [...html.matchAll(/data-name="Paid so far"[^>]*>(.*?)<\/td>/g)].map(([, cell = '']) =>
      cell.replaceAll(/<[^>]+>/g, '').replaceAll('\u00a0', ' '),
    );
    expect(totals).toEqual(['UAH 47,460.00', '–', 'UAH 79,720.00']);
    expect(/<details[^>]*data-nosnippet[^>]*><summary>Accounts.*?<\/details>/s.exec(html)?.[0]).toContain('IBAN UA21');
  });

  it('leads to its tender, buyer and supplier, and the page of the tender to it', async () => {
    const { html } = await ask(`/en${ADDRESS}`);
    for (const path of ['tenders/UA-2026-10-05-000063', 'buyers/UA-EDR-95733061', 'suppliers/UA-EDR-91207735'])
      expect(html).toContain(`href="/en/${path}"`);
    const { html: tender, text } = await ask('/en/tenders/UA-2026-10-05-000063');
    expect(tender).toContain(`href="/en${ADDRESS}"`);
    expect(text).toContain('1 amendment');
    expect(text).toMatch(/As signed UAH 158,200\.00/);
  });

  it('is whole when the tender is away, but for what was signed', async () => {
    const { status, text } = await ask(ADDRESS, (path, query) =>
      path.includes('/tenders/') ? 'away' : showcaseApi(path, query),
    );
    expect(status).toBe(200);
    expect(text).toContain('161 300,00 грн');
    expect(text).not.toContain('158 200,00 грн');
  });

  it.each([
    [1, 'Договір завершено 20 листопада 2026'],
    [2, 'Причина: Постачальник не поставив товар.'],
    [3, 'Договір ще не підписано.'],
    [4, 'Замовник скасував рішення про переможця, тому договір не підписано.'],
  ])('says how contract %i ended, or why it has not begun', async (n, sentence) => {
    const { text, html } = await ask(`/contracts/${contracts[n]?.id}`);
    expect(text).toContain(sentence);
    expect(html).not.toMatch(NONSENSE);
    expect(html.includes('id="payments"')).toBe(n < 3);
  });

  it('says that the term is over where nobody said that the contract ended', async () => {
    const late = {
      ...contract,
      period: { endDate: '2026-11-01T00:00:00+02:00' },
      changes: [],
      implementation: undefined,
    };
    const { text } = await ask(ADDRESS, (path, query) =>
      path.endsWith(contract.id) ? { body: { data: late } } : showcaseApi(path, query),
    );
    expect(text).toContain('Замовник ще не повідомив, що договір завершено. Строк його дії минув 1 листопада 2026');
    expect(text).toContain('Договір не змінювали.');
    expect(text).toContain('Про платежі ще не повідомлено.');
  });

  it('shows a status of a later release as it is', async () => {
    const { status, html } = await ask(ADDRESS, (path, query) =>
      path.endsWith(contract.id) ? { body: { data: { ...contract, status: 'suspended' } } } : showcaseApi(path, query),
    );
    expect(status).toBe(200);
    expect(/<div class="now" id="now"><strong>(.*?)<\/strong>/s.exec(html)?.[1]).toContain('suspended');
  });

  it('does not take the mark of a test for a change of the title', async () => {
    const title = 'Договір про меблі';
    const api: DoubleApi = (path, query) => {
      if (path.endsWith(contract.id))
        return { body: { data: { ...contract, mode: 'test', value: signedAs.value, title: `[ТЕСТУВАННЯ] ${title}` } } };
      return path.includes('/tenders/')
        ? { body: { data: { ...complete, contracts: [{ ...signedAs, title }] } } }
        : showcaseApi(path, query);
    };
    expect((await ask(ADDRESS, api)).html).not.toContain('id="changed"');
  });

  it('says nothing of a change while the copy in the tender is not signed yet', async () => {
    const { status, html, text } = await ask(ADDRESS, (path, query) =>
      path.includes('/tenders/')
        ? { body: { data: { ...complete, contracts: [{ ...signedAs, status: 'pending' }] } } }
        : showcaseApi(path, query),
    );
    expect([status, html.includes('id="changed"')]).toEqual([200, false]);
    expect(text).not.toContain('158 200,00 грн');
  });

  it('is made anew while a term runs, whose end no answer of the API tells', async () => {
    const app = buildApp(doubleDeps(showcaseApi));
    const again = async (url: string) => {
      const { headers } = await app.inject({ url, headers: { host: 'portal.example' } });
      const etag = String(headers.etag);
      return (await app.inject({ url, headers: { host: 'portal.example', 'if-none-match': etag } })).statusCode;
    };
    expect([await again(ADDRESS), await again(`/contracts/${contracts[1]?.id}`)]).toEqual([200, 304]);
    await app.close();
  });

  it('is where its number leads', async () => {
    const api: DoubleApi = (path, query) =>
      path.endsWith('/lookup')
        ? { body: { data: [{ id: complete.id, contract: contract.id }] } }
        : showcaseApi(path, query);
    const found = await ask(`/en/tenders/${contract.contractID}`, api);
    expect([found.status, found.headers.location]).toEqual([303, `/en${ADDRESS}`]);
    const searched = await ask('/tenders?q=ua-2026-10-05-000063-a-2', api);
    expect([searched.status, searched.headers.location]).toEqual([303, '/tenders/UA-2026-10-05-000063-a-2']);
    expect((await ask(`/tenders/${contract.contractID}/history`, api)).status).toBe(404);
  });

  it.each([`/contracts/${'0'.repeat(32)}`, '/contracts/UA-1', '/contracts/..%2Ftenders'])(
    'is 404 at %s',
    async (url) => {
      expect((await ask(url)).status).toBe(404);
    },
  );

  it('shows the raw data of a part that it cannot read, and no error', async () => {
    const broken = { ...contract, changes: [{ id: 'x' }], implementation: { transactions: [{ id: '1' }] } };
    const { status, text } = await ask(ADDRESS, (path, query) =>
      path.endsWith(contract.id) ? { body: { data: broken } } : showcaseApi(path, query),
    );
    expect(status).toBe(200);
    expect(text.match(/Цю частину не вдалося показати/g)?.length).toBeGreaterThan(1);
  });
});

describe('GET /contracts', () => {
  it('lists the contracts that changed last, in a sandbox those of tests', async () => {
    const { status, text, html, calls } = await ask('/contracts', showcaseApi, true);
    expect([status, html.match(/<h1/g)?.length]).toEqual([200, 1]);
    expect(html).not.toMatch(NONSENSE);
    const asked = new URLSearchParams(calls.at(-2)?.split('?')[1]);
    expect(Object.fromEntries(asked)).toMatchObject({ mode: '_all_', descending: '1', limit: '20' });
    expect(text).toContain(
      'Меблі для шкільної бібліотеки 161 300,00 грн Договір № 27/2026 · Ліцей № 27 міста Рівного → ТОВ «Поліський дуб»',
    );
    expect(text).toContain('завершено 20 листопада 2026 · сплачено 843 210,50 грн');
    expect(html.match(/class="result-row"/g)).toHaveLength(contracts.length);
  });

  it('goes on where a full page ended, and leads back', async () => {
    const full = Array.from({ length: 20 }, (_, n) => ({ ...contract, id: n.toString(16).padStart(32, '0') }));
    const api: DoubleApi = () => ({ body: { data: full, next_page: { offset: '1790000000.000001' } } });
    const first = await ask('/en/contracts', api);
    expect(first.html).toContain('href="/en/contracts?offset=1790000000.000001"');
    const { html, calls } = await ask('/en/contracts?offset=1790000000.000001', api);
    expect(calls.at(-2)).toContain('offset=1790000000.000001');
    expect(calls.at(-1)).toContain(`/search?contract=${full.map(({ id }) => id).join()}&limit=20`);
    expect(html).toContain('<a href="/en/contracts">Newest</a>');
  });

  it('is whole without the search, which has the titles', async () => {
    const { status, text } = await ask('/contracts', (path, query) =>
      path.endsWith('/search') ? 'away' : showcaseApi(path, query),
    );
    expect(status).toBe(200);
    expect(text).toContain('Договір № 27/2026 161 300,00 грн Ліцей');
  });

  it('says why it is empty, and leaves a place that is not there for the first page', async () => {
    const empty = await ask('/contracts', () => ({ body: { data: [], next_page: { offset: '1' } } }));
    expect(empty.text).toContain('Договорів ще немає.');
    const lost = await ask('/en/contracts?offset=x', () => undefined);
    expect([lost.status, lost.headers.location]).toEqual([303, '/en/contracts']);
  });
});
