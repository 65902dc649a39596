import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { allBarriers, AXE, barriers, barriersAt, WIDTHS } from '../../support/axe.ts';
import { patientBroker, getReached, until, type Json } from '../../support/broker.ts';
import { publish } from '../../support/published-tender.ts';
import { minimalTender } from '../../support/request-bodies.ts';
import { moveToNextCheck } from '../../support/sandbox.ts';
import { findChromium, PAGE_WAIT_MS, startBrowser } from '../../support/chromium.ts';
import { commonLook, foreignColours, LOOKS } from '../../support/page-look.ts';

const url = inject('gatewayUrl');
const buyer = patientBroker(url, 'broker1', '2.5');
const chromium = findChromium();
const WAIT = { timeout: PAGE_WAIT_MS };

let browser: Browser;

beforeAll(async () => {
  if (chromium !== undefined) browser = await startBrowser(chromium);
});

// A page that stays open keeps its stream, which counts among those of its address.
afterEach(async () => Promise.all(browser?.contexts().map(async (context) => context.close()) ?? []));

afterAll(async () => browser?.close());

/** Opens a page and collects what its console reports as errors, failed requests included. */
async function open(
  path: string,
  {
    scheme = 'light',
    headers = {},
  }: { readonly scheme?: 'light' | 'dark'; readonly headers?: Record<string, string> } = {},
): Promise<{ readonly page: Page; readonly errors: readonly string[] }> {
  // The policy of the page forbids the script that the test adds. That it is sent is tested in the gateway.
  const context = await browser.newContext({ bypassCSP: true, colorScheme: scheme, extraHTTPHeaders: headers });
  // Clicks and fills too.
  context.setDefaultTimeout(PAGE_WAIT_MS);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.goto(url + path, WAIT);
  return { page, errors };
}

/** Gives the page the script that finds barriers. */
async function load(page: Page): Promise<Page> {
  await page.evaluate(AXE);
  return page;
}

describe.skipIf(chromium === undefined)('in a browser', () => {
  it('the guides can be read, lead to each other, and are found by their words', async () => {
    const { page, errors } = await open('/docs/guides');
    await page.getByRole('main').getByRole('link', { name: 'First procedure' }).click();
    await page.getByRole('heading', { name: 'With curl' }).waitFor(WAIT);
    await page.getByRole('link', { name: 'Next Keys and tokens' }).click();
    await page.getByRole('heading', { level: 1, name: 'Keys and tokens' }).waitFor(WAIT);
    await page.goto(`${url}/docs/guides`, WAIT);
    await page.getByRole('searchbox').fill('owner token');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Keys and tokens: Owner tokens' }).click();
    expect([page.url(), errors]).toEqual([`${url}/docs/guides/tokens#owner-tokens`, []]);
  });

  it('a block of code is copied, with the address by which the guide is read', async () => {
    const { page } = await open('/docs/guides/first-procedure');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy' }).nth(1).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor(WAIT);
    // Of the page, whose globals this program has no types for.
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).toContain(`api=${url}/api/2.5\n`);
  });

  it('without script a guide is complete, and has no button that does nothing', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${url}/docs/guides/first-procedure`, WAIT);
    expect(await page.getByText('npm ci && npm start').isVisible()).toBe(true);
    expect(await page.getByRole('button').count()).toBe(0);
  });

  it('the errors can be filtered, and the address of a code leads to its entry', async () => {
    const { page, errors } = await open('/docs/errors#bid.terms');
    const entries = page.getByRole('article');
    expect(await entries.filter({ hasText: 'bid.terms' }).first().isVisible()).toBe(true);
    await page.getByRole('searchbox').fill('token 403');
    const shown = await entries.filter({ visible: true }).allInnerTexts();
    expect(shown.length).toBeGreaterThan(1);
    for (const text of shown) expect(text).toMatch(/token/i);
    await page.getByRole('searchbox').fill('nothing has this');
    await page.getByText('No entry has all of these words.').waitFor(WAIT);
    expect([await entries.filter({ visible: true }).count(), errors]).toEqual([0, []]);
  });

  it('the start page has the keys of the sandbox', async () => {
    const { page, errors } = await open('/', { headers: { accept: '*/*' } });
    await page.getByRole('cell', { name: 'broker1' }).waitFor(WAIT);
    expect(errors).toEqual([]);
  });

  it('the reference opens on segment 2.5, and a request is sent from it by the side navigation', async () => {
    const { page, errors } = await open('/docs');
    await page.locator('#operations-tag-tenders').waitFor(WAIT);
    expect(await page.locator('#swagger-ui').getAttribute('data-url')).toBe('/api/2.5/openapi.json');
    const navigation = page.getByRole('navigation', { name: 'Operations' });
    await navigation
      .locator('summary')
      .filter({ hasText: /^tenders/ })
      .click();
    await navigation.locator('a[href="#/tenders/listTenders"]').click();
    const operation = page.locator('#operations-tenders-listTenders');
    await operation.getByRole('button', { name: 'Execute' }).click(WAIT);
    const answer = operation.locator('.live-responses-table .response .response-col_status');
    await answer.waitFor(WAIT);
    expect(await answer.innerText()).toContain('200');
    expect([await barriers(await load(page)), errors]).toEqual([[], []]);
  });

  it('the dialog of keys has no barrier, before and after a key is entered', async () => {
    const { page } = await open('/docs');
    await page.locator('.btn.authorize').click();
    const form = page.locator('.auth-container').filter({ hasText: 'Basic' });
    await form.getByLabel('Username').waitFor(WAIT);
    await load(page);
    expect(await allBarriers(page)).toEqual([]);
    await form.getByLabel('Username').fill('broker1');
    await form.getByRole('button', { name: 'Authorize' }).click();
    await form.getByRole('button', { name: 'Logout' }).waitFor(WAIT);
    expect(await allBarriers(page)).toEqual([]);
  });

  it('a page of the same host follows the stream with EventSource (A11)', async () => {
    const { page, errors } = await open('/docs/guides');
    const { id, data } = await publish(buyer, minimalTender());
    const position = `/tenders/${id}/history?at_least=${encodeURIComponent(data.dateModified)}`;
    const [first] = (await getReached(buyer, position)).body.data;
    await page.evaluate((address) => {
      // Of the page, whose globals this program has no types for.
      const scope = globalThis as unknown as { EventSource: typeof EventTarget; notices: string[] };
      scope.notices = [];
      const source: EventTarget = Reflect.construct(scope.EventSource, [address]);
      source.addEventListener('message', (event) => scope.notices.push((event as Event & { data: string }).data));
    }, `/api/2.5/stream?mode=_all_&ids=${id}&offset=${first.position}`);
    const moved = await moveToNextCheck(buyer, id);
    const notice = await until('a notice in the page', async () => {
      const notices = await page.evaluate(() => (globalThis as unknown as { notices: string[] }).notices);
      return notices.map((text): Json => JSON.parse(text)).find(({ status }) => status === moved.status);
    });
    expect(notice).toMatchObject({ type: 'tender.changed', id, mode: 'test' });
    expect(errors).toEqual([]);
  });
});

const PAGES = [
  '/',
  '/docs/guides',
  '/docs/guides/first-procedure',
  '/docs/guides/older-generations',
  '/docs/guides?q=token',
  '/docs/errors',
  '/docs',
  '/docs#/tenders/createTender',
  '/docs#/tenders/listTenders',
  '/nothing',
];

describe.skipIf(chromium === undefined).each(['light', 'dark'] as const)('the look of pages, %s', (scheme) => {
  it.each(PAGES)('%s has no barrier, no sideways scroll and the colours of the tokens', async (path) => {
    // Browsers are sent from `/` to the portal where there is one.
    const { page } = await open(path, { scheme, headers: path === '/' ? { accept: '*/*' } : {} });
    if (path.startsWith('/docs') && !path.startsWith('/docs/')) await page.locator('.opblock').first().waitFor(WAIT);
    await load(page);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      const excess = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
      expect([width, excess, await barriersAt(page, scheme, width)]).toEqual([width, 0, []]);
    }
    expect(await foreignColours(page)).toEqual([]);
    expect(await commonLook(page)).toEqual(LOOKS[scheme]);
  });
});
