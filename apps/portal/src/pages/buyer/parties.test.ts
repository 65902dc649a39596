import { describe, expect, it } from 'vitest';
import { buildApp } from '../../app.ts';
import { doubleDeps, type DoubleAnswer, type DoubleApi } from '../../../test-support/api-double.ts';
import { found } from '../../../test-support/fixtures/found-tenders.ts';
import { months } from '../../../test-support/fixtures/statistics.ts';

const API = '/api/2.5';
const KEY = 'UA-EDR-25733061';
const NAMED = { name: 'Ліцей № 27', identifier: { scheme: 'UA-EDR', id: '25733061' }, address: { locality: 'Рівне' } };
const OTHER = { name: 'Інший', identifier: { scheme: 'UA-EDR', id: '1' } };
const WHOLE = { data: [{ procuringEntity: NAMED, bids: [{ tenderers: [OTHER] }, { tenderers: [NAMED] }] }] };
const NOTHING = { body: { data: [], total: { value: 0, relation: 'eq' } } };

async function ask(url: string, rows: DoubleAnswer = { body: found }, sums?: DoubleAnswer) {
  const cell = { ...months.data[3], key: KEY };
  const api: DoubleApi = (path, query) => {
    if (path === `${API}/statistics`) return sums ?? { body: { ...months, data: [cell] } };
    return query.has('expand') ? { body: WHOLE } : rows;
  };
  const deps = doubleDeps(api);
  const { statusCode, body } = await buildApp(deps).inject({ url, headers: { host: 'portal.example' } });
  return { status: statusCode, html: body.replaceAll('\u00a0', ' '), calls: deps.calls.slice(1) };
}

describe('GET /buyers/{scheme}-{id}', () => {
  it.each([`/buyers/${KEY}`, `/en/buyers/${KEY}`])('says who buys, in figures, at %s', async (url) => {
    const { status, html, calls } = await ask(url);
    expect(status).toBe(200);
    expect(calls).toEqual([
      `${API}/search?buyer=${KEY}&limit=20&total=1&facets=status%2Ccpv`,
      `${API}/statistics?by=buyer&buyer=${KEY}&from=2015-01-01`,
      `${API}/search?buyer=${KEY}&limit=1&expand=1`,
    ]);
    expect(html).toMatch(/<h1><bdi class="as-written"(?: lang="uk")?>Ліцей № 27<\/bdi><\/h1>/);
    expect(html).toMatch(/<bdi class="as-written"[^>]*>Рівне</);
    expect(html.match(/<h1/g)).toHaveLength(1);
    expect(html).not.toMatch(/undefined|null|NaN|\[object/);
    expect(html).toContain(`.atom?buyer=${KEY}"`);
    expect(html).toContain(`cpv=30&amp;buyer=${KEY}"`);
    // The rows do not repeat whose they are.
    expect(html).not.toContain('row-facts quiet small"><a');
  });

  it('has its tenders without figures when those are away', async () => {
    const { status, html } = await ask(`/buyers/${KEY}`, undefined, 'away');
    expect([status, html.match(/class="result-row"/g)?.length]).toEqual([200, 20]);
    expect(html).not.toContain('id="outcomes"');
  });

  it('is 404 for a number without tenders, and for what is no number', async () => {
    expect((await ask(`/buyers/${KEY}`, NOTHING)).status).toBe(404);
    expect((await ask('/buyers/25733061')).status).toBe(404);
  });

  it('is not for search engines when the number is that of a person', async () => {
    const deps = doubleDeps((_path, query) =>
      query.has('expand') ? { body: WHOLE } : { body: { ...found, ...months, data: found.data } },
    );
    const app = buildApp({
      ...deps,
      settings: { ...deps.settings },
      siteOf: (...site) => ({ ...deps.siteOf(...site), indexing: true }),
    });
    const hasNoIndex = async (url: string): Promise<boolean> =>
      (await app.inject({ url, headers: { host: 'portal.example' } })).body.includes('content="noindex"');
    expect(await hasNoIndex('/suppliers/UA-IPN-1234567890')).toBe(true);
    expect(await hasNoIndex(`/suppliers/${KEY}`)).toBe(false);
  });
});

describe('GET /suppliers/{scheme}-{id}', () => {
  it('lists where a bidder was chosen and where he bade, by his number', async () => {
    const { status, html, calls } = await ask(`/suppliers/${KEY}`);
    expect(status).toBe(200);
    expect(calls).toEqual([
      `${API}/search?supplier=${KEY}&limit=10&total=1`,
      `${API}/search?bidder=${KEY}&limit=10&total=1`,
      `${API}/search?bidder=${KEY}&limit=1&expand=1`,
    ]);
    expect(html).toContain('Ліцей № 27</bdi></h1>');
    expect(html).toContain(`href="/tenders?supplier=${KEY}"`);
    expect(html).toContain('Усі 226 тендерів');
  });

  it('is 404 when there is neither', async () => {
    expect((await ask(`/suppliers/${KEY}`, NOTHING)).status).toBe(404);
  });
});
