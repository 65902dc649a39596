import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { buildApp } from '../../app.ts';
import { doubleDeps, type DoubleAnswer } from '../../../test-support/api-double.ts';
import { divisions, months, regions } from '../../../test-support/fixtures/statistics.ts';

const WEIGHT_MAX = 16_000;
const ANSWERS = { month: { body: months }, cpv: { body: divisions }, region: { body: regions } };

async function ask(url: string, answers: Readonly<Record<string, DoubleAnswer>> = ANSWERS) {
  const deps = doubleDeps((_path, query) => answers[query.get('by') ?? '']);
  const { statusCode, headers, body } = await buildApp(deps).inject({ url, headers: { host: 'portal.example' } });
  return { status: statusCode, headers, html: body.replaceAll('\u00a0', ' '), calls: deps.calls };
}

describe('GET /statistics', () => {
  it.each(['/statistics', '/en/statistics'])('is one page within its weight at %s', async (url) => {
    const { status, headers, html } = await ask(url);
    expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=0, s-maxage=60']);
    expect(html.match(/<h1/g)).toHaveLength(1);
    expect(html).not.toMatch(/undefined|null|NaN|\[object|Infinity/);
    expect(gzipSync(html).length).toBeLessThan(WEIGHT_MAX);
  });

  it.each(['soon', undefined, '2026-13-01', '2026-02-31'])('is away when the answer has no period: %s', async (day) => {
    for (const bound of ['from', 'to']) {
      const without = { ...ANSWERS, month: { body: { ...months, [bound]: day } } };
      expect((await ask('/statistics', without)).status).toBe(503);
    }
  });

  it('asks the API three times', async () => {
    expect((await ask('/statistics')).calls.slice(1)).toEqual([
      '/api/2.5/statistics?by=month',
      '/api/2.5/statistics?by=cpv&sort=-amount&limit=15',
      '/api/2.5/statistics?by=region',
    ]);
  });

  it('says in sentences what the charts show', async () => {
    const { html } = await ask('/statistics');
    expect(html).toContain(
      'Оголошено 8 727 тендерів: договором завершено 5 492 (62,9%), не відбулися 1 422 (16,3%), скасовано 423 (4,8%), ще тривають 1 390 (15,9%).',
    );
    expect(html).toContain('У середньому 2,4 пропозиції на тендер; враховано 5 966 тендерів.');
    // September and October still run to a tenth and more: their short tenders alone have contracts.
    expect(html).toContain('Тендери, оголошені за серпень 2026: половина договорів – за 21 день або швидше');
    expect(html).toMatch(/Договори на [\d ]+,\d\d грн за очікуваної вартості [\d ]+,\d\d грн: на 11,3% менше\./);
  });

  it('has the figures of each picture as a table, a month with a link to its tenders', async () => {
    const { html } = await ask('/en/statistics');
    const rows = [...html.matchAll(/<tr><th scope="row">.*?<\/tr>/g)].map(([row]) => row);
    expect(html.match(/<svg class="plot" role="img"><title>[^<]+<\/title><desc>[^<]+<\/desc>/g)).toHaveLength(5);
    expect(rows).toHaveLength(6 * months.data.length + divisions.data.length + regions.data.length);
    expect(rows[0]).toBe(
      '<tr><th scope="row"><a href="/en/tenders?createdFrom=2025-12-01&amp;createdTo=2025-12-31">December 2025</a></th>' +
        ['812', '600', '0', '161', '51'].map((cell) => `<td class="number">${cell}</td>`).join('') +
        '</tr>',
    );
    expect(rows[11]).toContain('November 2026 (running)');
  });

  it('says what became of signed contracts', async () => {
    const { html } = await ask('/en/statistics');
    expect(/[\d,]+ contracts were signed[^<]*/.exec(html)?.[0]).toBe(
      '5,492 contracts were signed. Of them amended: 1,098; ended: 2,748. Their values together are 1.1% more than what was signed.',
    );
    const none = { ...months, data: months.data.map((cell) => ({ ...cell, signed: 0 })) };
    expect((await ask('/en/statistics', { ...ANSWERS, month: { body: none } })).html).not.toContain('were signed.');
  });

  it('hatches the month that runs, and draws months of few contracts as hollow dots', async () => {
    const { html } = await ask('/statistics');
    expect(html.match(/url\(#outcomes-hatch\)/g)).toHaveLength(1);
    expect(html.match(/class="hollow"/g)).toHaveLength(1);
  });

  it('begins every axis at zero, and its columns reach their sums', async () => {
    const { html } = await ask('/statistics');
    const [plot = ''] = /<svg class="plot".*?<\/svg>/s.exec(html) ?? [];
    const heights = [...plot.matchAll(/<rect class="fill[^>]*height="([\d.]+)%"/g)].map(([, height]) => Number(height));
    // The axis ends at 1,000: a tender is a tenth of a per cent.
    expect(heights.slice(0, 3)).toEqual([60, 16.1, 5.1]);
  });

  it('leads from a bar to its tenders', async () => {
    const { html } = await ask('/statistics');
    expect(html).toContain('href="/tenders?cpv=45&amp;createdFrom=2025-12-01&amp;createdTo=2026-11-30"');
    expect(html).toContain('href="/tenders?region=UA-30&amp;createdFrom=2025-12-01&amp;createdTo=2026-11-30"');
  });

  it('says that there is nothing, without empty axes', async () => {
    const nothing = { body: { ...months, data: [] } };
    const { status, html } = await ask('/en/statistics', { month: nothing, cpv: nothing, region: nothing });
    expect(status).toBe(200);
    expect(html).toContain('No tender was published in these 12 months.');
    expect(html).not.toContain('role="img"');
  });

  it('shows one month alone, and sentences where nothing was opened', async () => {
    const cell = {
      key: '2026-11',
      tenders: 1,
      amount: 500,
      opened: 0,
      bids: 0,
      complete: 0,
      unsuccessful: 0,
      cancelled: 0,
    };
    const sums = { contracted: 0, expected: 0, signed: 0, amended: 0, terminated: 0, contractedNow: 0, paid: 0 };
    const one = { body: { ...months, data: [{ ...cell, active: 1, ...sums }] } };
    const { html } = await ask('/en/statistics', { ...ANSWERS, month: one });
    expect(html.match(/role="img"/g)).toHaveLength(1);
    expect(html.match(/class="empty-state"/g)).toHaveLength(5);
    expect(html).not.toMatch(/NaN|undefined/);
  });

  it('leaves out what is away, with a link that loads it; without months it is 503', async () => {
    const { status, html } = await ask('/en/statistics', { ...ANSWERS, cpv: 'away' });
    expect(status).toBe(200);
    expect(html).toContain('<a href="/en/statistics">Load it</a>');
    expect((await ask('/statistics', { ...ANSWERS, month: 'away' })).status).toBe(503);
  });
});
