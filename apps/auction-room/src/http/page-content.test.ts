import type { JsonObject } from '@procurement/contracts/reading/json-object';
import { describe, expect, it } from 'vitest';
import { pageOfAuction } from '../../test-support/played-page.ts';
import { loadPage } from './page.ts';

// portal.md 7, row by row.
const [FIRST, SECOND, THIRD] = ['a9'.repeat(16), 'aa'.repeat(16), 'a8'.repeat(16)];
const IN_FIRST_TURN = 330;
const IN_ROUND_2 = 800;
const OVER = 86_400;
const PORTAL = 'https://portal.example.org';

const page = await loadPage(new URL('../../page/', import.meta.url), PORTAL);
const titled =
  (title: JsonObject) =>
  (document: JsonObject): JsonObject => ({ ...document, ...title });

const PRICED = titled({ value: { amount: 1_000, currency: 'UAH' } });

/** Where the texts stand in the page, in that order. */
function expectInOrder(html: string, texts: readonly string[]): void {
  const places = texts.map((text) => html.indexOf(text));
  expect(places, texts.join()).not.toContain(-1);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
}

/** The rows of a table, as text without markup. */
function parseRows(html: string, id: string): readonly string[] {
  const [, body = ''] = /<tbody>(.*?)<\/tbody>/s.exec(html.slice(html.indexOf(`id="${id}-table"`))) ?? [];
  return body
    .split('</tr>')
    .slice(0, -1)
    .map((row) =>
      row
        .replaceAll(/<[^>]+>/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    );
}

describe('the heading of an auction', () => {
  it.each([
    ['en', { title: 'Папір', title_en: '[TESTING] ' }, '<bdi lang="uk">Папір</bdi>'],
    ['en', { title: 'Папір', title_en: '[TESTING] Paper' }, '<bdi>[TESTING] Paper</bdi>'],
    ['en', { title: 'Папір' }, '<bdi lang="uk">Папір</bdi>'],
    ['uk', { title: 'Папір', title_en: 'Paper' }, '<bdi>Папір</bdi>'],
    ['uk', {}, 'Аукціон'],
  ] as const)('is the title (%s, %o)', async (lang, title, shown) => {
    const html = await pageOfAuction({ lang, seconds: -60, state: titled(title) });
    expect(html).toContain(`<h1 data-testid="title">${shown}</h1>`);
  });

  it('has the number, which leads to the tender at the portal, and the buyer beside it', async () => {
    const state = titled({ procuringEntity: { name: 'Ліцей № 27' } });
    const numbers = { uk: `${PORTAL}/tenders/UA-2017-02-06-000001`, en: `${PORTAL}/en/tenders/UA-2017-02-06-000001` };
    for (const lang of ['uk', 'en'] as const) {
      const html = await pageOfAuction({ lang, seconds: -60, state, portal: PORTAL });
      expectInOrder(html, ['<h1 ', `<a href="${numbers[lang]}">`, 'Ліцей № 27', 'id="status"']);
    }
    const html = await pageOfAuction({ seconds: -60, state });
    expect(html).toContain('<span class="number">UA-2017-02-06-000001</span>');
    expect(html).not.toMatch(/href="(?!\/|\?|#)/);
  });
});

describe('the tables of an auction', () => {
  it('have the results best first, and say who won the auction and who decides', async () => {
    for (const phase of ['finished', 'announced']) {
      const html = await pageOfAuction({ lang: 'en', seconds: OVER, portal: PORTAL, state: titled({ phase }) });
      expect(parseRows(html, 'results-header')).toEqual([
        '1 Bidder #3 Auction winner 860.00 12:17:10',
        '2 Bidder #2 860.00 12:21:30',
        '3 Bidder #1 860.50 12:23:30',
      ]);
      expectInOrder(html, ['id="results-header"', 'the buyer decides who wins', 'Decision of the buyer']);
      expect(html.includes('data-testid="protocol"')).toBe(phase === 'announced');
    }
    const conflict = await pageOfAuction({ seconds: OVER, state: titled({ phase: 'conflict' }) });
    expect(conflict).not.toContain('Переможець аукціону<');
    expect(conflict).toContain('notice warn');
  });

  it('keep the numbers beside names, which several may share, and mark the own rows', async () => {
    const label = { uk: 'ТОВ <Фарба>', en: 'Paint Ltd' };
    const named = (document: JsonObject): JsonObject => ({
      ...document,
      results: (document['results'] as JsonObject[]).map((line) => ({ ...line, label })),
    });
    const html = await pageOfAuction({ seconds: OVER, bid: SECOND, state: named });
    const [, second, third] = parseRows(html, 'results-header');
    expect(second).toMatch(/^2 №2 · ТОВ &lt;Фарба&gt; · Ви/);
    expect(third).toMatch(/^3 №1 · ТОВ &lt;Фарба&gt; 860/);
    const english = await pageOfAuction({ lang: 'en', seconds: OVER, state: named });
    expect(parseRows(english, 'results-header')[0]).toMatch(/^1 #3 · Paint Ltd Auction winner/);
  });

  it('show a round that has not begun as a line, and the turn that runs with a mark and a word', async () => {
    const html = await pageOfAuction({ seconds: IN_FIRST_TURN });
    for (const n of [2, 3])
      expect(html).toContain(`<p class="quiet" id="round-header-${n}">Раунд ${n}: ще не почався</p>`);
    expect(html).not.toMatch(/id="stage-[4-9]"/);
    expect(html.match(/aria-current="step"/g)).toHaveLength(1);
    expect(parseRows(html, 'round-header-1')).toEqual([
      'Учасник №1 950,00 Триває',
      'Учасник №2 920,00 з 12:07',
      'Учасник №3 мінімум 900,00 з 12:09',
    ]);
    expect(html).toMatch(/<tr id="stage-1" aria-current="step" /);
    const later = await pageOfAuction({ seconds: IN_ROUND_2 });
    expect(parseRows(later, 'round-header-1').map((row) => row.split(' ').at(-1))).toEqual([
      '12:06:10',
      '12:07:30',
      '12:09:30',
    ]);
    expect(parseRows(await pageOfAuction({ seconds: OVER }), 'round-header-2')[1]).toMatch(/без змін$/);
  });

  it('have results and the newest round first, those before beside or below them, newest first', async () => {
    const columns = '<div class="columns columns-6-6"><div>';
    const running = await pageOfAuction({ seconds: IN_ROUND_2 });
    expectInOrder(running, [
      columns,
      'id="round-header-2"',
      'id="round-header-3"',
      '</div><div>',
      'id="round-header-1"',
      'id="initial-bids-header"',
    ]);
    const over = await pageOfAuction({ seconds: OVER });
    expectInOrder(over, [
      columns,
      'id="results-header"',
      '</div><div>',
      'id="round-header-3"',
      'id="round-header-2"',
      'id="round-header-1"',
      'id="initial-bids-header"',
    ]);
  });

  it('of a cancelled auction have the rounds that are known to have had offers', async () => {
    const cancelled = titled({ phase: 'cancelled', current_stage: -100 });
    const html = await pageOfAuction({ seconds: IN_ROUND_2, state: cancelled });
    expect(html).toContain('<h2 id="round-header-1">');
    expect(html).not.toContain('id="round-header-3"');
  });
});

describe('what a person does next', () => {
  it('stands in the panel of a bidder, with the time', async () => {
    const renderPanel = async (seconds: number, bid: string | undefined): Promise<string> => {
      const html = await pageOfAuction({ seconds, state: PRICED, ...(bid === undefined ? {} : { bid }) });
      return html.slice(html.indexOf('id="own"'), html.indexOf('id="course"'));
    };
    expect(await renderPanel(-60, FIRST)).toContain('Не закривайте сторінку');
    expect(await renderPanel(IN_FIRST_TURN, FIRST)).toContain('Ваша черга. Не більше 940,00\u00a0грн.');
    expect(await renderPanel(IN_FIRST_TURN, SECOND)).toContain('Ваша наступна черга: з 12:07:00 до 12:09:00.');
    expect(await renderPanel(OVER, THIRD)).toContain('Ви переможець аукціону.');
    expect(await renderPanel(OVER, FIRST)).toContain('Ваше місце: 3 з 3.');
    expect(await renderPanel(IN_FIRST_TURN, undefined)).not.toContain('<h2');
  });

  it('is counted down to an instant that is said too', async () => {
    const counted = async (seconds: number, bid?: string): Promise<string | undefined> => {
      const html = await pageOfAuction({ seconds, ...(bid === undefined ? {} : { bid }) });
      return /id="countdown-of">([^<]*)</.exec(html)?.[1]?.replaceAll('\u00a0', ' ');
    };
    expect(await counted(-86_400)).toBe('до початку аукціону, 16 лютого 2017, 12:00');
    expect(await counted(IN_FIRST_TURN)).toBe('до наступного етапу, 12:07');
    expect(await counted(IN_FIRST_TURN, FIRST)).toBe('до закінчення вашої черги, 12:07');
    expect(await counted(IN_FIRST_TURN, THIRD)).toBe('до вашої черги, 12:09');
    expect(await counted(OVER)).toBe('');
  });

  it.each([
    ['offer.placed', 'good', 'Заявку прийнято'],
    ['withdrawn', 'good', 'Заявку відмінено.'],
    ['offer.too-high', 'bad', 'Надто висока заявка'],
    ['constructor', 'bad', 'Заявку не прийнято'],
  ])('after %s is a notice (%s) with an icon', async (message, tone, said) => {
    const html = await pageOfAuction({ seconds: IN_FIRST_TURN, bid: FIRST, message });
    expect(html).toMatch(
      new RegExp(
        `<div class="notice ${tone}" data-testid="message"><svg class="icon"[^>]*><path[^>]*></svg><div>${said}</div>`,
      ),
    );
  });
});

describe('every text of a tender', () => {
  it('is escaped, the currency too', async () => {
    const evil = '</d><script>alert(1)</script>"\'';
    const texts = { name: evil, name_en: evil, title: evil, title_en: evil, description: evil, description_en: evil };
    const label = { uk: evil, en: evil };
    const state = (document: JsonObject): JsonObject => ({
      ...document,
      ...texts,
      tenderID: evil,
      lot: texts,
      procuringEntity: texts,
      value: { amount: 1, currency: evil },
      minimalStep: { amount: 1, currency: evil },
      items: [{ ...texts, quantity: 1, unit: { name: evil, name_en: evil } }],
      features: [texts],
      results: (document['results'] as JsonObject[]).map((line) => ({ ...line, label })),
    });
    for (const lang of ['uk', 'en'] as const)
      for (const [seconds, bid] of [
        [-60, FIRST],
        [IN_FIRST_TURN, FIRST],
        [OVER, undefined],
      ] as const) {
        const html = await pageOfAuction({
          lang,
          seconds,
          state,
          portal: PORTAL,
          ...(bid === undefined ? {} : { bid }),
        });
        expect(html).not.toMatch(/<\/d>|<script>|alert\(1\)<\/script>/);
        expect(html).toContain('&lt;/d&gt;');
      }
    const one = {
      id: 'a'.repeat(32),
      tenderID: evil,
      start_at: '2026-03-16T12:00:00+02:00',
      phase: 'planned',
      ...texts,
      procuringEntity: texts,
    };
    const lists = [{ date: '2026-03-16', auctions: [one], next: evil }];
    const query = { q: evil };
    const list = page.listPage({ lang: 'uk', base: '', lists, number: evil, date: evil, today: '', query });
    expect(list).not.toMatch(/<\/d>|<script>/);
    const login = page.loginPage({ lang: 'uk', base: '', title: evil, bidder: evil, hash: evil, returnUrl: evil });
    expect(login).not.toMatch(/<\/d>|<script>/);
  });
});

describe('the list of auctions', () => {
  const auction = (phase: string, more: JsonObject = {}): JsonObject => ({
    id: 'a'.repeat(32),
    tenderID: 'UA-2026-03-02-000001',
    title: 'Папір',
    procuringEntity: { name: 'Ліцей' },
    start_at: '2026-03-16T12:30:00+02:00',
    phase,
    test: false,
    ...more,
  });
  const shown = { base: '', number: '', date: '2026-03-16', today: '2026-03-16', query: {} };
  const renderList = (lang: 'uk' | 'en', auctions: readonly JsonObject[], date?: string): string =>
    page.listPage({ ...shown, lang, lists: [{ ...(date === undefined ? {} : { date }), auctions }] });

  it('is a table whose rows are cards on a telephone, by days in words', () => {
    const html = renderList('uk', [auction('running')], '2026-03-16');
    expect(html.replaceAll('\u00a0', ' ')).toContain(
      '<h2><time datetime="2026-03-16">Сьогодні, 16 березня 2026, понеділок</time></h2>',
    );
    expect(html).toContain('<table class="data-table rows auctions" data-testid="auctions">');
    expect(html).toContain('<td data-name="Початок"><time datetime="2026-03-16T12:30:00+02:00">12:30</time></td>');
    expect(html).toMatch(/<span class="tag good">.*Триває<\/span>/);
    // Of a number: each has its day.
    const found = renderList('en', [auction('planned')]).replaceAll('\u00a0', ' ');
    expect(found).toContain('>16 Mar 2026, 12:30</time>');
  });

  it('shows the main title where the English one has only the marker', () => {
    const html = renderList('en', [auction('planned', { title_en: '[TESTING] ', test: true })], '2026-03-16');
    expect(html).toContain('<bdi lang="uk">Папір</bdi>');
    expect(html).toContain('<caption>Test auctions</caption>');
  });

  it('says why it is empty', () => {
    expect(renderList('en', [], '2026-03-16')).toContain('No auctions on this day.');
    expect(renderList('en', [])).toContain('A number looks like UA-2026-03-28-000123.');
  });
});

describe('the frame of the pages', () => {
  it('leads to the portal when there is one, and loads its files from the asset folder', async () => {
    const html = await pageOfAuction({ lang: 'en', seconds: -60, portal: PORTAL });
    expect(html).toContain(`<a class="site-name" href="${PORTAL}/en">`);
    for (const path of ['tenders', 'statistics', 'accessibility'])
      expect(html).toContain(`href="${PORTAL}/en/${path}"`);
    expect(html).toContain('<a href="/" aria-current="page">Auctions</a>');
    const loaded = [...html.matchAll(/<(?:link|script)[^>]* (?:href|src)="([^"]+)"/g)].map(
      ([, address = '']) => address,
    );
    expect(loaded).toHaveLength(3);
    const served = page.assets.map(({ name }) => `/assets/${name}`);
    expect(loaded.filter((address) => !served.includes(address))).toEqual([]);
  });

  it('says what to do on a page that only refuses', () => {
    const html = page.messagePage({ lang: 'uk', base: '', message: 'linkWrong' });
    expectInOrder(html, [
      '<h1>Використайте дійсне посилання',
      'у вашій пропозиції на майданчику',
      'href="/">Усі аукціони',
    ]);
  });
});
