import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { buildApp } from '../../app.ts';
import { doubleDeps, type DoubleApi, type DoubleAnswer } from '../../../test-support/api-double.ts';
import { found } from '../../../test-support/fixtures/found-tenders.ts';

const SEARCH = '/api/2.5/search';
const WEIGHT_MAX = 14_000;

/** Asks for a page of a portal whose API answers each search so. */
async function ask(url: string, answer: DoubleAnswer = { body: found }, isSandbox = false, buyers?: object) {
  const api: DoubleApi = (path) =>
    path === SEARCH ? answer : path === `${SEARCH}/buyers` && buyers !== undefined ? { body: buyers } : undefined;
  const deps = doubleDeps(api, { isSandbox });
  const { statusCode, headers, body } = await buildApp(deps).inject({ url, headers: { host: 'portal.example' } });
  return { status: statusCode, headers, html: body, searches: deps.calls.filter((path) => path.startsWith(SEARCH)) };
}

/** Addresses of the links of a page. */
const parseLinks = (html: string): readonly string[] =>
  [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));

describe('GET /tenders', () => {
  it.each(['/tenders', '/en/tenders'])('shows 20 tenders at %s within the weight of a page', async (url) => {
    const { status, html } = await ask(url);
    expect(status).toBe(200);
    expect(html.match(/class="result-row"/g)).toHaveLength(20);
    expect(html.match(/<h1/g)).toHaveLength(1);
    expect(html).not.toMatch(/undefined|null|NaN|\[object/);
    expect(gzipSync(html).length).toBeLessThan(WEIGHT_MAX);
  });

  it('asks for what the visitor wrote, and for the counts that another choice would have', async () => {
    const { searches } = await ask('/tenders?q=папір&status=complete&status=cancelled&amountFrom=1+000,50&unknown=1');
    const q = encodeURIComponent('папір');
    expect(searches).toEqual([
      `${SEARCH}?q=${q}&status=complete,cancelled&amountFrom=1000.5&limit=20&total=1&facets=status%2Ccpv%2Cregion`,
      `${SEARCH}?q=${q}&amountFrom=1000.5&limit=1&facets=status`,
    ]);
  });

  it('asks for test tenders in a sandbox, unless the visitor says which', async () => {
    expect((await ask('/tenders', undefined, true)).searches[0]).toContain('?mode=_all_&');
    expect((await ask('/tenders?mode=test', undefined, true)).searches[0]).toContain('?mode=test&');
    expect((await ask('/tenders')).searches[0]).not.toContain('mode');
  });

  it('leads from a number of a tender to its page', async () => {
    const { status, headers } = await ask('/en/tenders?q=+ua-2026-03-02-000001+');
    expect([status, headers.location]).toEqual([303, '/en/tenders/UA-2026-03-02-000001']);
  });

  it('has a link that removes each filter, and one to the next page', async () => {
    const links = parseLinks((await ask('/tenders?status=complete,cancelled&cpv=30&sort=-amount')).html);
    expect(links).toEqual(
      expect.arrayContaining([
        '/tenders?status=cancelled&cpv=30&sort=-amount',
        '/tenders?status=complete&cpv=30&sort=-amount',
        '/tenders?status=complete,cancelled&sort=-amount',
        '/tenders?status=complete,cancelled&cpv=30&sort=-amount&cursor=bmV4dA',
        '/tenders.atom?status=complete,cancelled&cpv=30',
        'https://api.example/api/2.5/search?status=complete,cancelled&cpv=30&sort=-amount&limit=20&total=1',
      ]),
    );
  });

  it('marks a field that is wrong, keeps its value, and asks nothing', async () => {
    const { status, html, searches } = await ask('/tenders?amountFrom=abc&q=папір&createdTo=31.02.2026');
    expect([status, searches]).toEqual([400, []]);
    expect(html).toContain('<title>Помилка: ');
    expect(html).toMatch(
      /<input id="f-amountFrom"[^>]* value="abc"[^>]* aria-invalid="true" aria-describedby="e-amountFrom"/,
    );
    expect(html).toMatch(/<input id="f-createdTo"[^>]* value="31.02.2026"[^>]* aria-invalid="true"/);
    expect(parseLinks(html)).toEqual(expect.arrayContaining(['#f-amountFrom', '#f-createdTo']));
  });

  it.each([
    [400, 'status', 'params.invalid', 'href="/tenders?q=x"'],
    [422, 'q', 'search.broad', 'href="#f-q"'],
  ])('shows a refusal %i of %s', async (refusal, name, code, link) => {
    const answer = { status: refusal, body: { errors: [{ location: 'params', name, code }] } };
    const { status, html } = await ask('/tenders?q=x&status=foo', answer);
    expect(status).toBe(400);
    expect(html).toContain(link);
    expect(html).toContain('class="error-summary"');
  });

  it('begins anew when the place of the next page is not known any more', async () => {
    const { status, headers } = await ask('/tenders?q=x&cursor=old', { status: 404, body: { errors: [] } });
    expect([status, headers.location]).toEqual([303, '/tenders?q=x']);
  });

  it('offers other spellings and fewer filters when nothing is found', async () => {
    const nothing = { data: [], total: { value: 0, relation: 'eq' }, spelling: { папер: ['папір'] } };
    const { html } = await ask('/tenders?q=Папер+білий&cpv=30', { body: nothing });
    const q = (text: string): string => new URLSearchParams({ q: text }).toString();
    expect(parseLinks(html)).toEqual(
      expect.arrayContaining([
        `/tenders?${q('папір білий')}&cpv=30`,
        `/tenders?${q('Папер білий')}`,
        '/tenders?cpv=30',
      ]),
    );
  });

  it('says that a walk goes on when a page has no tender but a next one', async () => {
    const { html } = await ask('/en/tenders?q=x', { body: { data: [], next_page: { cursor: 'more' } } });
    expect(html).toContain('The search has not ended.');
    expect(parseLinks(html)).toContain('/en/tenders?q=x&cursor=more');
  });

  it('finds buyers by name, and asks which one is meant', async () => {
    const buyers = { data: [{ scheme: 'UA-EDR', id: '25733061', name: 'Ліцей № 27', tenders: 12 }] };
    const { html, searches } = await ask('/tenders?buyer=ліцей&cpv=30', undefined, false, buyers);
    expect(searches).toEqual([`${SEARCH}/buyers?q=${encodeURIComponent('ліцей')}`]);
    expect(parseLinks(html)).toContain('/tenders?cpv=30&buyer=UA-EDR-25733061');
    expect(html).toContain('12 тендерів');
  });

  it('shows what others wrote as text, and hidden characters as marks', async () => {
    const hostile = '<script>\u202ehit</script>';
    const [first] = found.data;
    const data = [{ ...first, title: hostile, region: [hostile], procuringEntity: { name: hostile, identifier: {} } }];
    const facets = { region: [{ key: hostile, count: 1 }] };
    const { html } = await ask(`/tenders?q=${encodeURIComponent(hostile)}`, { body: { data, facets } });
    expect(html).not.toContain('<script>');
    expect(html.match(/&lt;script>⟨U\+202E⟩hit/g)?.length).toBeGreaterThanOrEqual(5);
    expect(html.replaceAll(/value="[^"]*"|href="[^"]*"/g, '')).not.toContain('\u202e');
  });

  it('is 503 when the API is away, and 429 when it is asked too often, with a link to the same search', async () => {
    const [away, refused] = [
      await ask('/en/tenders?q=paper', 'away'),
      await ask('/en/tenders?q=paper', { status: 429, body: {} }),
    ];
    expect([away.status, refused.status]).toEqual([503, 429]);
    for (const { html } of [away, refused]) expect(html).toContain('href="/en/tenders?q=paper">Try again</a>');
  });
});
