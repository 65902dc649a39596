import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { AXE, barriersAt, WIDEST, WIDTHS } from '../../support/axe.ts';
import { patientBroker, until } from '../../support/broker.ts';
import { findChromium, PAGE_WAIT_MS, startBrowser } from '../../support/chromium.ts';
import { commonLook, foreignColours, LOOKS } from '../../support/page-look.ts';
import { playOn, parseRun, startTestPortal, type TestPortal } from '../../support/portal.ts';

const url = inject('gatewayUrl');
const anyone = patientBroker(url, '', '2.5');
const chromium = findChromium();
const STEPS = 10;
const NONSENSE = /\bundefined\b|\bnull\b|\bNaN\b|\[object/;
/** A tender's statuses before its bids are opened. */
const SEALED = new Set(['active.enquiries', 'active.tendering', 'active.auction']);

let portal: TestPortal;
let browser: Browser | undefined;
/** A tender that was played to its end, for the pages that need one, and its contract. */
let played = '';
let contract = '';

beforeAll(async () => {
  portal = await startTestPortal(url);
  if (chromium !== undefined) browser = await startBrowser(chromium);
});

afterAll(async () => {
  await browser?.close();
  await portal.stop();
});

interface Shown {
  readonly path: string;
  readonly status: number;
  readonly text: string;
}

async function show(path: string): Promise<Shown> {
  const answer = await fetch(portal.url + path);
  return { path, status: answer.status, text: await answer.text() };
}

/** A page without the rows of other tenders in its lists: other tests play them with the same amounts and names. */
function withoutOthers(number: string, { path, text }: Shown): string {
  if (path.includes(number)) return text;
  return text.replaceAll(/<li class="result-row">[^]*?<\/li>/g, (row) => (row.includes(number) ? row : ''));
}

/** Every address of a tender, in both languages. */
async function showAll(number: string): Promise<readonly Shown[]> {
  const parts = ['', '/history', '/history/1', '.atom', '/version'];
  const paths = ['', '/en'].flatMap((lang) => parts.map((part) => `${lang}/tenders/${number}${part}`));
  return Promise.all([...paths, `/tenders?q=${number.slice(0, 13)}`, '/', '/en/statistics', '/contracts'].map(show));
}

describe('the pages of a tender after every step of its life, without JavaScript', () => {
  it('are whole in both languages, and tell nothing of a sealed bid', { timeout: PAGE_WAIT_MS * 4 }, async () => {
    let html = (await show('/en/play')).text;
    const whileSealed: Shown[] = [];
    let tender = { id: '', number: '' };
    for (let step = 1; step <= STEPS; step += 1) {
      html = await playOn(portal, parseRun(html), 'next');
      if (step === 1) ({ tender } = JSON.parse(Buffer.from(parseRun(html), 'base64url').toString()));
      // The portal uses an answer for a second without asking.
      const status = await until('the newest state in the portal', async (): Promise<string | undefined> => {
        const { text } = await show(`/tenders/${tender.number}/version`);
        const { data } = (await anyone.get(`/tenders/${tender.id}`)).body;
        return text === data.dateModified ? data.status : undefined;
      });
      const shown = await showAll(tender.number);
      for (const { path, status: code, text } of shown) {
        const isPage = text.startsWith('<!doctype');
        const nonsense = NONSENSE.exec(text)?.[0];
        expect([path, step, code, isPage ? text.match(/<h1/g)?.length : 1, nonsense]).toEqual([
          path,
          step,
          200,
          1,
          undefined,
        ]);
      }
      if (SEALED.has(status)) whileSealed.push(...shown);
    }
    played = tender.number;
    const { bids, status: last, contracts } = (await anyone.get(`/tenders/${tender.id}`)).body.data;
    expect(last).toBe('complete');
    contract = contracts[0].id;
    // The first bidder has asked a question under its name.
    const amounts = bids.map(({ value }: { value: { amount: number } }) => String(value.amount));
    const secrets = [
      ...amounts,
      ...amounts.map((amount: string) => amount.replace(/(\d)(?=\d{3}$)/, '$1\u00a0')),
      bids[1].tenderers[0].name,
      bids[0].id,
      bids[1].id,
    ];
    expect(whileSealed.length).toBeGreaterThan(30);
    const listed = whileSealed.filter((page) => withoutOthers(played, page).includes('<li class="result-row">'));
    expect(listed.filter(({ path }) => !path.includes(played)).length).toBeGreaterThan(3);
    for (const page of whileSealed) {
      const text = withoutOthers(played, page);
      // Sums may be the amount of another test's tender.
      const sought = page.path.endsWith('/statistics') ? secrets.slice(2 * amounts.length) : secrets;
      expect([page.path, sought.filter((secret) => text.includes(secret))]).toEqual([page.path, []]);
    }
    const { text: open } = await show(`/tenders/${played}`);
    // The check above can fail: the same words are on the page once the bids are open.
    expect(secrets.slice(2).filter((secret) => open.includes(secret)).length).toBeGreaterThan(3);
  });
});

describe('the pages of a contract, without JavaScript', () => {
  it('are whole in both languages, and the list, the tender and its number lead to them', async () => {
    const { contractID } = (await anyone.get(`/contracts/${contract}`)).body.data;
    for (const lang of ['', '/en']) {
      const { status, text } = await show(`${lang}/contracts/${contract}`);
      expect([status, text.match(/<h1/g)?.length, NONSENSE.exec(text)?.[0]]).toEqual([200, 1, undefined]);
      const link = `href="${lang}/contracts/${contract}"`;
      expect((await show(`${lang}/tenders/${played}`)).text).toContain(link);
      // Contracts of other tests may have changed meanwhile.
      await until('the contract in the list', async () =>
        (await show(`${lang}/contracts`)).text.includes(link) ? true : undefined,
      );
      expect(text).toContain(`href="${lang}/tenders/${played}"`);
      const found = await until('the number in the register', async () => {
        const answer = await fetch(`${portal.url}${lang}/tenders/${contractID}`, { redirect: 'manual' });
        return answer.status === 303 ? answer : undefined;
      });
      expect(found.headers.get('location')).toBe(`${lang}/contracts/${contract}`);
    }
    expect((await show(`/contracts/${'0'.repeat(32)}`)).status).toBe(404);
  });
});

describe('addresses', () => {
  it('a hex id leads to the number, a number in the search to its tender, and what is not there is 404 in the language', async () => {
    const { id } = (await anyone.get(`/lookup?ids=${played}`)).body.data[0];
    const redirects = [`/en/tenders/${id}`, `/en/tenders?q=${played}`].map(async (path) => {
      const { status, headers } = await fetch(portal.url + path, { redirect: 'manual' });
      return [status, headers.get('location')];
    });
    expect(await Promise.all(redirects)).toEqual([
      [301, `/en/tenders/${played}`],
      [303, `/en/tenders/${played}`],
    ]);
    const missing = ['/tenders/UA-2001-01-01-000001', `/tenders/${'0'.repeat(32)}`, '/nothing', '/en/tenders/x/y'];
    for (const path of missing) {
      const { status, text } = await show(path);
      expect([path, status, text.includes('<html lang="'), text.match(/<h1/g)?.length]).toEqual([path, 404, true, 1]);
    }
  });

  it('an unchanged page is 304, and another language is another page', async () => {
    // The clock of a tender in a sandbox goes on: a second later its page is another one.
    const headers = await until('an unchanged page', async () => {
      const first = await fetch(`${portal.url}/en/tenders/${played}`);
      const given = { 'if-none-match': first.headers.get('etag') ?? '' };
      const { status } = await fetch(`${portal.url}/en/tenders/${played}`, { headers: given });
      return status === 304 ? given : undefined;
    });
    expect(headers['if-none-match']).toMatch(/^W\//);
    expect((await fetch(`${portal.url}/tenders/${played}`, { headers })).status).toBe(200);
  });

  it('scripts and styles come from the asset folder only', async () => {
    const { headers } = await fetch(`${portal.url}/en`);
    const { host } = new URL(portal.url);
    expect(headers.get('content-security-policy')).toContain(`script-src ${host}/assets/; style-src ${host}/assets/;`);
  });
});

const SCHEMES = ['light', 'dark'] as const;

describe.skipIf(chromium === undefined)('every page in a browser', () => {
  const paths = (): readonly string[] => [
    '/',
    '/en',
    '/tenders',
    '/en/tenders?q=nothinglikethis',
    `/tenders/${played}`,
    `/en/tenders/${played}`,
    `/en/tenders/${played}/history`,
    `/tenders/${played}/history/1`,
    `/en/tenders/${played}/history/1..3`,
    '/buyers/UA-EDR-25733061',
    '/en/buyers/UA-EDR-25733061',
    '/en/suppliers/UA-EDR-23456702',
    '/contracts',
    `/contracts/${contract}`,
    `/en/contracts/${contract}`,
    '/statistics',
    '/en/play',
    '/about',
    '/en/take-part',
    '/data',
    '/en/accessibility',
    '/en/nothing',
  ];

  it('does not move when its script comes after the first paint', { timeout: PAGE_WAIT_MS * 4 }, async () => {
    // The policy would forbid the functions that this test waits by.
    const context = await browser!.newContext({ bypassCSP: true, viewport: { width: 390, height: 844 } });
    context.setDefaultTimeout(PAGE_WAIT_MS);
    await context.addInitScript({
      content: `window.moved = []; new PerformanceObserver((list) => window.moved.push(
        ...list.getEntries().flatMap(({ sources }) => sources.map(({ node }) => node?.outerHTML?.slice(0, 80)))
      )).observe({ type: 'layout-shift', buffered: true });`,
    });
    for (const path of paths()) {
      const page = await context.newPage();
      let sendScript = (): void => undefined;
      const isPainted = new Promise<void>((resolve) => {
        sendScript = resolve;
      });
      await page.route('**/assets/*.js', async (route) => {
        await isPainted;
        await route.continue();
      });
      await page.goto(portal.url + path, { waitUntil: 'commit' });
      // A slow answer is painted in parts; what moves from here on is moved by the script.
      await page.waitForFunction(
        `document.readyState !== 'loading' && performance.getEntriesByName('first-contentful-paint').length > 0`,
      );
      await page.evaluate('window.moved.length = 0');
      sendScript();
      await page.waitForLoadState('load');
      // What the script has changed is laid out in the first frame, and reported before the third.
      const moved = await page.evaluate(
        `new Promise((resolve) => { let frames = 3; const next = () => (frames-- > 0 ? requestAnimationFrame(next) : resolve(window.moved)); next(); })`,
      );
      expect([path, moved]).toEqual([path, []]);
      await page.close();
    }
    await context.close();
  });

  it.each(SCHEMES)(
    'has no barrier, no error and no sideways scrolling: %s',
    { timeout: PAGE_WAIT_MS * 4 },
    async (colorScheme) => {
      const context = await browser!.newContext({ colorScheme, bypassCSP: true });
      const page = await context.newPage();
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(String(error)));
      for (const path of paths()) {
        await page.goto(portal.url + path, { timeout: PAGE_WAIT_MS });
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 900 });
          const over = await page.evaluate(
            'document.documentElement.scrollWidth - document.documentElement.clientWidth',
          );
          expect([path, width, over]).toEqual([path, width, 0]);
        }
        await page.evaluate(AXE);
        const faults = [await barriersAt(page, colorScheme, WIDEST), await foreignColours(page)];
        expect([path, ...faults, await commonLook(page)]).toEqual([path, [], [], LOOKS[colorScheme]]);
      }
      expect(errors).toEqual([]);
      await context.close();
    },
  );
});
